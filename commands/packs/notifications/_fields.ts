// The fields of rules and targets in commands.
import { eventTypes } from './_events.ts'
import { collections } from './_schemas.ts'

const name = { type: 'string', minLength: 1, maxLength: 60, pattern: '^\\S(.*\\S)?$' } as const
const line = { type: 'string', maxLength: 2000 } as const

export const ruleName = { ...name, description: 'name of the rule', examples: ['Failed jobs'] } as const
export const targetName = { ...name, description: 'name of the target', examples: ['Ticket system'] } as const

export const ruleFields = {
  events: {
    type: 'array',
    items: { type: 'string', enum: eventTypes },
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    description: 'types of events',
    examples: [['job-finished']],
  },
  rooms: {
    type: 'array',
    items: { type: 'integer', idOf: 'room' },
    maxItems: 1000,
    uniqueItems: true,
    description: 'ids of rooms; empty: all, and what is in no room',
    examples: [[1]],
  },
  groups: {
    type: 'array',
    items: { type: 'integer', idOf: 'group' },
    maxItems: 100,
    uniqueItems: true,
    description: 'ids of groups; empty: all computers, and what concerns none',
    examples: [[1]],
  },
  outcome: { ...collections.rules.properties.outcome, description: 'of jobs; default: failure', examples: ['failure'] },
  targets: {
    type: 'array',
    items: name,
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'names of targets',
    examples: [['Ticket system']],
  },
  alerts: {
    type: 'array',
    items: name,
    maxItems: 20,
    uniqueItems: true,
    description: 'of the event pack-alert: which ones, such as disk-health/failing; empty: all',
    examples: [['disk-health/failing']],
  },
  urgent: { type: 'boolean', description: 'also sent in quiet hours', examples: [false] },
} as const

/** `address` and `secret` are never answered. */
export const targetFields = {
  address: {
    ...line,
    description: 'where messages are sent to; of ntfy with the topic, of matrix the home server; not for mail',
    examples: ['https://tickets.example/hooks/fleet'],
  },
  secret: {
    ...line,
    writeOnly: true,
    description: 'whsec_… of a webhook, made when it is absent; access token of ntfy or matrix',
  },
  to: { type: 'array', items: line, maxItems: 50, description: 'mail addresses' },
  room: { ...line, description: 'id of the matrix room' },
} as const

export const kind = {
  ...collections.targets.properties.kind,
  description: 'what it understands',
  examples: ['webhook'],
} as const

const strict = <const Properties extends object, const Required extends readonly (keyof Properties)[]>(
  required: Required,
  properties: Properties,
) => ({ type: 'object' as const, required, additionalProperties: false, properties })

export const rulePayload = strict(['rule'], { rule: ruleName })
export const targetPayload = strict(['target'], { target: targetName })
export { strict }
