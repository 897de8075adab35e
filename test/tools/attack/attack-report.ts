// What one attack has shown, as values and as a line of text.
import type { Findings } from './attack.ts'
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
