// Checks that a hook follows its contract, and reads its times.
import { Cron } from 'croner'
import { closest } from 'fastest-levenshtein'
import { streamedTypes } from '../contract/fleet-events.ts'
import type { LoadedHook } from '../contract/loaded-module.ts'
import { message } from '../log/log.ts'
import type { CheckedHook } from './checked.ts'
import { compileContract } from './compile-contract.ts'
import { hookSchemas } from './hook-schema.ts'

type Hook = LoadedHook['hook']
type Trigger = keyof typeof hookSchemas

const checks = {
  on: compileContract<Hook>(hookSchemas.on, 'hook'),
  every: compileContract<Hook>(hookSchemas.every, 'hook'),
  cron: compileContract<Hook>(hookSchemas.cron, 'hook'),
  before: compileContract<Hook>(hookSchemas.before, 'hook'),
}

export function validateHook(exported: unknown, trigger: Trigger): CheckedHook {
  if (trigger === 'on') checkEventTypes(exported)
  const hook = checks[trigger](exported)
  if (hook.every !== undefined) return { kind: 'hook', hook, interval: readInterval(hook.every) }
  if (hook.cron !== undefined) return { kind: 'hook', hook, nextTime: readCron(hook.cron) }
  return { kind: 'hook', hook }
}

/** The schema's message would list all types. */
function checkEventTypes(exported: unknown): void {
  const types: unknown = exported instanceof Object && 'on' in exported ? exported.on : undefined
  const known: readonly string[] = streamedTypes
  for (const [index, type] of Array.isArray(types) ? types.entries() : []) {
    if (known.includes(type)) continue
    const hint = typeof type === 'string' ? closest(type, known) : 'the type of an event'
    throw new Error(`on[${index}]: expected ${hint}, got ${JSON.stringify(type)}`)
  }
}

const units = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const

const isUnit = (text: string): text is keyof typeof units => Object.hasOwn(units, text)

/** Longer pauses are what `cron` is for. */
const maxDays = 366

/** `15 minutes` in milliseconds. */
export function readInterval(every: string): number {
  const [, count = '', unit = ''] = /^(\d{1,8}) ([a-z]+?)s?$/.exec(every) ?? []
  const seconds = isUnit(unit) ? Number(count) * units[unit] : 0
  if (seconds >= 1 && seconds <= maxDays * units.day) return seconds * 1000
  throw new Error(`every: expected a time as 30 seconds, 15 minutes, 2 hours or 1 day, got ${JSON.stringify(every)}`)
}

function readCron(pattern: string): (after: number) => number | undefined {
  const nextTime = (cron: Cron, after: number) => cron.nextRun(new Date(after))?.getTime()
  try {
    const cron = new Cron(pattern, { mode: '5-or-6-parts' })
    if (nextTime(cron, Date.now()) === undefined) throw new Error('a time that never comes')
    return after => nextTime(cron, after)
  } catch (error) {
    const reason = message(error).replace(/^CronPattern: /, '')
    throw new Error(`cron: expected times as 0 20 * * 1-5, got ${JSON.stringify(pattern)} (${reason})`)
  }
}
