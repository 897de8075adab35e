// The schemas of tasks, procedures and schedules: as callers write them, and in answers.
import { foundTargets, targetWords } from './groups.ts'
import { described, flag, integer, integers, like, list, object, optional, strictObject, text } from './objects.ts'

const scope = described(
  strictObject({ type: { enum: ['center', 'room', 'computer'] }, id: { type: 'integer', minimum: 1 } }),
  'whose computers it is for; without scope and clients: those of its center',
)

/** In local time. */
export const timeOfDay = { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', expected: 'hh:mm' } as const

/** How it runs. */
export const runOptions = {
  wake: { type: 'boolean', description: 'computers that are off are woken' },
  when_idle: { type: 'boolean', description: 'a computer where somebody is logged in waits until nobody is' },
  until: {
    ...timeOfDay,
    description: 'what has not begun by then, in local time of the daemon, expires',
    examples: ['06:30'],
  },
  batch: { type: 'integer', minimum: 1, maximum: 100_000, description: 'at most so many computers at once' },
  // biome-ignore lint/suspicious/noThenProperty: a schema, which nothing awaits
  then: { enum: ['poweroff', 'session'], description: 'a last step; session: starts the partition of the step before' },
  then_after: {
    enum: ['success', 'any'],
    description:
      'whether computers get it only where all steps before have succeeded; default: any, of image/plan success',
  },
} as const

const options = described(strictObject(optional(runOptions)), 'how it runs; replaces all earlier options')

const namedFields = {
  center: { $ref: 'id', description: 'id of its center' },
  name: { type: 'string', minLength: 1, description: 'unique in its center' },
  'description?': { type: 'string', description: 'for people' },
} as const

export const procedureFields = { ...namedFields, 'steps?': { $ref: 'steps' } } as const

export const taskFields = {
  ...namedFields,
  'steps?': { $ref: 'taskSteps' },
  'scope?': scope,
  'clients?': { $ref: 'clients', description: 'the computers that it is for, by address' },
  ...foundTargets,
  'options?': options,
} as const

const named = {
  id: like(integer, 1),
  center: described(integer, 'id of its center', 1),
  name: like(text, 'Tidy up'),
  description: described(text, 'for people', ''),
  'planned?': described(flag, 'a planned restore has made it', true),
}

export const procedureResult = object({
  ...named,
  steps: described({ $ref: 'steps' }, 'commands and other procedures', [
    { command: 'shell-run', params: { run: 'sync', echo: false } },
  ]),
})

const scopeResult = object({ type: { enum: ['center', 'room', 'computer'] }, id: integer })

export const taskResult = object({
  ...named,
  steps: described({ $ref: 'taskSteps' }, 'procedures and other tasks', [{ procedure: 1 }]),
  'scope?': described(scopeResult, 'whose computers it is for', { type: 'room', id: 1 }),
  'clients?': list({ $ref: 'ipv4' }, 'the addresses that it is for'),
  ...foundTargets,
  for: targetWords,
  'options?': described(object(optional(runOptions)), 'how it runs', { wake: true, until: '06:30' }),
})

/** Monday to Friday at 22:30, in all years and months. */
export const weekdayEvenings = {
  years: 4294967295,
  months: 4095,
  weeks: 0,
  week_days: 31,
  days: 0,
  hours: 1024,
  am_pm: 1,
  minutes: 30,
}

export const whenFields = integers(weekdayEvenings, described(integer, 'as in `schedule/create`'))
