// The schemas of the settings and collections of this pack, and their types.
import type { FromSchema, PackContext, Services, SettingsOf } from 'fleet-host'

const text = { type: 'string', maxLength: 2000 } as const
const time = { type: 'integer', description: 'milliseconds since 1970' } as const
const ids = { type: 'array', items: { type: 'integer' } } as const
const texts = { type: 'array', items: text } as const

const clock = { type: 'string', pattern: '^$|^\\d\\d:\\d\\d$', maxLength: 5, default: '' } as const

export const settings = {
  type: 'object',
  properties: {
    mail: {
      type: 'object',
      default: {},
      properties: {
        host: { ...text, default: '', description: 'mail server; empty: no mail is sent' },
        port: { type: 'integer', minimum: 1, maximum: 65_535, default: 587 },
        security: {
          enum: ['starttls', 'tls', 'none'],
          default: 'starttls',
          description: 'starttls: usually port 587; tls: from the start, usually port 465; none: nothing is encrypted',
        },
        user: { ...text, default: '', description: 'empty: no log-in' },
        password: { ...text, writeOnly: true },
        sender: { ...text, default: '', description: 'address that mails come from' },
      },
    },
    allowed: {
      type: 'array',
      items: text,
      default: [],
      description: 'private addresses that webhooks and chat messages may go to: 10.1.0.5 or 10.1.0.0/16',
    },
    ca: {
      type: 'string',
      maxLength: 60_000,
      default: '',
      contentMediaType: 'text/plain',
      description: 'certificates (PEM) of further authorities that receivers may have theirs from',
    },
    quiet: {
      type: 'object',
      default: {},
      properties: {
        from: { ...clock, description: 'quiet hours: messages wait from this time, such as 22:00' },
        until: { ...clock, description: 'until this one, such as 07:00' },
      },
    },
    digest: {
      type: 'integer',
      minimum: 1,
      maximum: 600,
      default: 10,
      description: 'seconds in which events of one kind and room become one message',
    },
  },
} as const

const rule = {
  type: 'object',
  required: ['events', 'rooms', 'outcome', 'targets', 'urgent'],
  properties: {
    events: texts,
    rooms: ids,
    /** Absent in rules of earlier versions, as `alerts`. */
    groups: ids,
    outcome: { enum: ['failure', 'success', 'any'] },
    targets: texts,
    urgent: { type: 'boolean' },
    alerts: texts,
  },
} as const

const target = {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { enum: ['webhook', 'mail', 'slack', 'teams', 'ntfy', 'matrix'] },
    address: { ...text, writeOnly: true },
    /** What of the address everybody may see. */
    host: text,
    secret: { ...text, writeOnly: true },
    to: texts,
    room: text,
    disabled: text,
  },
} as const

const entry = {
  type: 'object',
  required: ['time', 'text'],
  properties: { time: text, client: text, text },
} as const

const delivery = {
  type: 'object',
  required: [
    'rule',
    'target',
    'type',
    'room',
    'place',
    'title',
    'entries',
    'count',
    'time',
    'due',
    'attempts',
    'urgent',
  ],
  properties: {
    rule: text,
    target: text,
    type: text,
    room: { type: 'integer' },
    /** The name of the room. */
    place: text,
    title: text,
    /** The first ones of `count`. */
    entries: { type: 'array', items: entry },
    count: { type: 'integer' },
    job: { type: 'integer' },
    time,
    due: time,
    attempts: { type: 'integer' },
    urgent: { type: 'boolean' },
    error: text,
    /** In the log only. */
    state: { enum: ['sent', 'failed'] },
    ended: time,
  },
} as const

export const collections = {
  rules: rule,
  targets: target,
  matches: { type: 'object', required: ['count', 'last'], properties: { count: { type: 'integer' }, last: time } },
  /** What is to be sent; the keys are those of the log, in the order of the time. */
  queue: delivery,
  log: delivery,
} as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

type Schemas = Own['collections']
export type Settings = SettingsOf<Own>
export type Rule = FromSchema<Schemas['rules']>
export type Target = FromSchema<Schemas['targets']>
export type Delivery = FromSchema<Schemas['queue']>
export type Entry = Delivery['entries'][number]

export interface Context extends PackContext<Own> {
  services: Services
}

/** What a rule has found, before it is queued for its targets. */
export interface Message
  extends Pick<Delivery, 'rule' | 'type' | 'room' | 'place' | 'title' | 'entries' | 'count' | 'job' | 'urgent'> {
  /** Milliseconds since 1970: the same when the events come again. */
  time: number
  /** Further entries may be added until then. */
  until?: number
}
