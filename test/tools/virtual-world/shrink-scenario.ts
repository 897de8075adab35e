// Finds a shorter scenario that still fails: half of the steps are left out, then quarters, and so on down to single ones.
import type { Outcome } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Each takes as long as the whole. */
const mostRuns = 100

export async function shrinkScenario(failing: Scenario, run: (scenario: Scenario) => Promise<Outcome>) {
  let [scenario, outcome] = [failing, await run(failing)]
  let runs = 1
  for (let count = Math.ceil(scenario.steps.length / 2); count > 0; count = count === 1 ? 0 : Math.ceil(count / 2)) {
    for (let at = 0; at < scenario.steps.length && runs < mostRuns; runs += 1) {
      const steps = scenario.steps.toSpliced(at, count)
      const next = await run({ ...scenario, steps })
      if (next.violations.length === 0) at += count
      else [scenario, outcome] = [{ ...scenario, steps }, next]
    }
  }
  return { scenario, outcome }
}
