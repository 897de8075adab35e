// The attacks that take few seconds: the daemon survives them, serves its callers and agents, and is well afterwards.
import { resolve } from 'node:path'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { Attack } from './attack.ts'
import { measure } from './attack-host.ts'
import { attacks } from './attacks.ts'

export const runs = { seconds: 55 }

// Response times are not judged, as other tests use the machine at the same time.
const options = { tree: resolve(import.meta.dirname, '../../..'), isStrict: false }
/** Seconds of one attack: it is repeated here, not measured. */
const seconds = 1

const cheap = attacks.filter(attack => attack.cheap)
const withOwnDaemon = cheap.filter(({ daemon }) => daemon)
const withoutOwnDaemon = cheap.filter(({ daemon }) => !daemon)

/** Runs attacks one after the other on one daemon. */
const combined: Attack = {
  name: 'combined',
  summary: withoutOwnDaemon.map(({ name }) => name).join(', '),
  seconds: withoutOwnDaemon.length * 10,
  bounds: { log: 16_000_000, data: 64_000_000 },
  async run(target) {
    const problems: string[] = []
    for (const { name, run } of withoutOwnDaemon) {
      const end = performance.now() + seconds * 1000
      const findings = await run({ ...target, isOver: () => target.isOver() || performance.now() > end })
      problems.push(...(findings.problems ?? []).flatMap(problem => (problem ? `${name}: ${problem}` : [])))
    }
    return { figures: '', problems }
  },
}

const test = suite('attacks')

for (const attack of [combined, ...withOwnDaemon.map(each => ({ ...each, seconds }))]) {
  test(`the daemon survives ${attack.summary}`, async () => {
    const { problems } = await measure(attack, options)
    equal(problems, [])
  })
}

test.run()
