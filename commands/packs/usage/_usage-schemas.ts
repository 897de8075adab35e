// The schemas of the settings and collections of this pack, and their types.
import type { FromSchema, PackContext, Services } from 'fleet-host'

const whole = { type: 'integer', minimum: 0 } as const
const watts = (description: string, usual: number) =>
  ({ type: 'number', minimum: 0, maximum: 10_000, default: usual, description: `watts: ${description}` }) as const
const powers = {
  on: watts('somebody is logged in', 70),
  idle: watts('it is on and nobody is logged in', 45),
  off: watts('it is off', 2),
}
const room = { type: 'integer', minimum: 1, idOf: 'room', description: 'id of the room' } as const

export const settings = {
  type: 'object',
  properties: {
    watts: { type: 'object', default: {}, description: 'what a computer takes', properties: powers },
    room_watts: {
      type: 'array',
      default: [],
      maxItems: 1000,
      description: 'rooms whose computers take something else',
      items: { type: 'object', required: ['room', 'on', 'idle', 'off'], properties: { room, ...powers } },
    },
    hours_days: {
      type: 'integer',
      minimum: 31,
      maximum: 3650,
      default: 730,
      description: 'days after which hours are kept as days only',
    },
    sessions_days: {
      type: 'integer',
      minimum: 0,
      maximum: 7,
      default: 0,
      description: 'days for which it is kept who was logged in where: personal data; 0: not at all',
    },
    free_seats: {
      type: 'array',
      items: room,
      default: [],
      maxItems: 1000,
      description: 'ids of rooms whose number of free computers everybody may read at /free-seats/<id>',
    },
    free_seats_title: {
      type: 'string',
      maxLength: 60,
      default: 'Free computers',
      description: 'the heading of these pages',
    },
  },
} as const

/** Seconds of all computers of a room together, then numbers of what has happened. What is 0 is absent. */
const counts = {
  type: 'object',
  properties: {
    has: whole,
    on: whole,
    use: whole,
    live: whole,
    linux: whole,
    windows: whole,
    virtual: whole,
    logins: whole,
    boots: whole,
    failures: whole,
  },
} as const

const rooms = { type: 'object', additionalProperties: counts } as const

export const collections = {
  /** `2026-03-02T08/0`: an hour in UTC, and which hundred of ids of rooms. `until`: seconds since 1970. */
  hours: {
    type: 'object',
    required: ['until', 'observed', 'rooms'],
    properties: { until: whole, observed: whole, rooms },
  },
  /** `2026-03-02/0`: a day in the time zone of the daemon. `observed`: seconds of it. */
  days: { type: 'object', required: ['observed', 'rooms'], properties: { observed: whole, rooms } },
  /** One document, `days`: the last day that was made of hours. */
  progress: { type: 'object', required: ['day'], properties: { day: { type: 'string' } } },
  /** `10.1.1.20/` and the time of the log-in. Times in milliseconds since 1970. */
  sessions: {
    type: 'object',
    required: ['since'],
    properties: { user: { type: 'string' }, since: whole, until: whole },
  },
} as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

export interface Context extends PackContext<Own> {
  services: Services
}

export type Settings = Context['settings']
export type Counts = FromSchema<typeof counts>
export type RoomCounts = Record<string, Counts>
