// How the computers of a task get it: the options of `fleet nightly` and `fleet schedule edit`.
import type { TaskAnswer } from '../../contract/answers.ts'
import { usageError } from '../cli-error.ts'

export const runOptions = {
  '--until <hh:mm>': 'what has not begun by then expires',
  '--then <step>': { text: 'a last step of each computer', choices: ['poweroff'] },
  '--then-after <which>': {
    text: 'where: only where all succeeded, or in any case; default: any',
    choices: ['success', 'any'],
  },
  '--batch <count>': 'at most so many computers at once',
  '--when-idle': 'wait where somebody is logged in',
  '--no-wake': 'do not wake computers that are off',
} as const

export interface RunFlags {
  until?: string | undefined
  then?: 'poweroff' | undefined
  thenAfter?: 'success' | 'any' | undefined
  batch?: string | undefined
  whenIdle?: boolean | undefined
  wake?: boolean | undefined
}

/** Without the keys of absent options. */
export function optionsOf({
  until,
  then,
  thenAfter,
  batch,
  whenIdle,
  wake,
}: RunFlags): NonNullable<TaskAnswer['options']> {
  if (batch !== undefined && !/^[1-9]\d{0,4}$/.test(batch))
    throw usageError(`--batch: expected a number from 1, got ${batch}`)
  if (until !== undefined && !/^([01]?\d|2[0-3]):[0-5]\d$/.test(until))
    throw usageError(`--until: expected a time such as 06:30, got ${until}`)
  const options = { wake, when_idle: whenIdle, until: until?.padStart('hh:mm'.length, '0') }
  return JSON.parse(JSON.stringify({ ...options, then, then_after: thenAfter, batch: batch && Number(batch) }))
}

/** `then poweroff where it succeeded`; tasks do not say it by default. */
export const thenWords = (then: string, after: NonNullable<TaskAnswer['options']>['then_after']): string =>
  `then ${then} ${after === 'success' ? 'where it succeeded' : 'also after a failed step'}`

/** `wake, until 06:30, then poweroff also after a failed step`. */
export function optionWords({ then_after, ...options }: TaskAnswer['options'] = {}): string {
  const words = Object.entries(options).map(([key, value]) => {
    const name = key.replaceAll('_', ' ')
    if (key === 'then') return thenWords(String(value), then_after)
    return value === true ? name : value === false ? `no ${name}` : `${name} ${value}`
  })
  return words.join(', ')
}
