// What one attack has shown, as values and as a line of text, and what it may cost at most.
import type { Bounds, Findings } from './attack.ts'
import type { Observation } from './observer.ts'

export interface Measurement {
  findings: Findings
  observed: Observation
  /** The share of the time of the attack that the daemon waited for a processor. */
  waited: number
  /** Whether response times were judged. */
  isJudged: boolean
  /** Seconds until all was well after the attack; undefined: not within five. */
  recovery: number | undefined
  /** Bytes. */
  memory: number
  log: number
  data: number
  acknowledged: number
  /** Acknowledged computers that are not there after a restart. */
  lost: number
  /** Everything that must not be; empty when the daemon has withstood the attack. */
  problems: string[]
}

/** `name` is padded: all lines have the same columns. */
export function describe(name: string, measurement: Measurement): string {
  const { findings, observed, waited, isJudged, recovery, memory, log, data, acknowledged, lost, problems } =
    measurement
  const { p99, slowest, calls, failed, commands, missed } = observed
  const size = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
  const figures = [
    `p99 ${p99.toFixed(0)} ms${isJudged ? '' : ` (not judged: waited ${Math.round(100 * waited)} % for a processor)`}`,
    `slowest ${slowest.toFixed(0)} ms`,
    `${failed} of ${calls} calls failed`,
    `${commands - missed} of ${commands} commands arrived`,
    `memory ${size(memory)}`,
    `log ${size(log)}`,
    `data ${size(data)}`,
    recovery === undefined ? 'not well after 5 s' : `well after ${recovery.toFixed(1)} s`,
    `${lost} of ${acknowledged} acknowledged lost`,
  ].join(', ')
  const end = problems.map(problem => `\n${' '.repeat(name.length)}        - ${problem}`).join('')
  return `${name}  ${problems.length === 0 ? 'OK  ' : 'FAIL'}  ${figures} | ${findings.figures}${end}`
}

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

/** The share of commands and events that may be late on a machine that other programs use. */
const lateShare = 0.1

/** The bounds that were passed, one sentence each. `isStrict`: response times are judged too. */
export function boundProblems(
  costs: Pick<Measurement, 'observed' | 'memory' | 'log' | 'data'>,
  changes: Partial<Bounds>,
  isStrict: boolean,
): Findings['problems'] {
  const bounds = { ...defaultBounds, ...changes }
  const { observed, memory, log, data } = costs
  const { p99, failed, reasons, commands, missed, dropped, lostEvents } = observed
  const late = isStrict ? 0 : lateShare * commands
  const size = (bytes: number) => `${Math.round(bytes / megabyte)} MB`
  return [
    isStrict && p99 > bounds.p99 && `p99 of callers ${Math.round(p99)} ms`,
    failed > bounds.failed && `${failed} requests failed: ${reasons.join('; ')}`,
    missed > bounds.missed + late && `${missed} of ${commands} commands did not reach an agent in time`,
    dropped > 0 && `${dropped} agents were disconnected`,
    lostEvents > late && `${lostEvents} events of jobs are lost`,
    memory > bounds.memory && `memory ${size(memory)}`,
    log > bounds.log && `the log grew by ${size(log)}`,
    data > bounds.data && `the data grew by ${size(data)}`,
  ]
}
