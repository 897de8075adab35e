// What an attack may cost at most, and what an observation lacks of that.
import type { Bounds } from './attack.ts'
import type { Observation } from './observer.ts'

const megabyte = 1024 * 1024
const defaultBounds: Bounds = {
  p99: 250,
  failed: 0,
  missed: 0,
  memory: 1024 * megabyte,
  log: 4 * megabyte,
  data: 32 * megabyte,
}

/**
 * Milliseconds until a command must reach its agent, and until all must be well again after an attack: then callers have
 * their responses within `p99`. `isStrict`: response times are judged.
 */
export const timesOf = (isStrict: boolean) =>
  isStrict
    ? { patience: 3000, recovery: 5000, p99: defaultBounds.p99 }
    : { patience: 30_000, recovery: 150_000, p99: 15_000 }

/** Bytes, and what was observed. */
export interface Costs extends Observation {
  memory: number
  log: number
  data: number
}

/** The share of commands and events that may be late on a machine that other programs use. */
const lateShare = 0.1

/** The bounds that were passed, one sentence each. `isStrict`: response times are judged too. */
export function boundProblems(costs: Costs, own: Partial<Bounds>, isStrict: boolean): string[] {
  const bounds = { ...defaultBounds, ...own }
  const late = isStrict ? 0 : lateShare * costs.commands
  const size = (bytes: number) => `${Math.round(bytes / megabyte)} MB`
  return [
    ...(isStrict && costs.p99 > bounds.p99 ? [`p99 of callers ${Math.round(costs.p99)} ms`] : []),
    ...(costs.failed > bounds.failed ? [`${costs.failed} requests failed: ${costs.reasons.join('; ')}`] : []),
    ...(costs.missed > bounds.missed + late
      ? [`${costs.missed} of ${costs.commands} commands did not reach an agent in time`]
      : []),
    ...(costs.dropped > 0 ? [`${costs.dropped} agents were disconnected`] : []),
    ...(costs.lostEvents > late ? [`${costs.lostEvents} events of jobs are lost`] : []),
    ...(costs.memory > bounds.memory ? [`memory ${size(costs.memory)}`] : []),
    ...(costs.log > bounds.log ? [`the log grew by ${size(costs.log)}`] : []),
    ...(costs.data > bounds.data ? [`the data grew by ${size(costs.data)}`] : []),
  ]
}
