// The schemas of the settings and collections of this pack, and their types.
import type { FromSchema, PackContext, Rights, Services, StoredDocument } from 'fleet-host'

const text = { type: 'string', maxLength: 2000 } as const
const id = { type: 'integer', minimum: 0 } as const
const time = { type: 'integer', description: 'milliseconds since 1970; 0: none' } as const
const flag = { type: 'boolean' } as const
const url = { ...text, writeOnly: true } as const

export const settings = {
  type: 'object',
  properties: {
    where: {
      ...text,
      default: '',
      description:
        'query of the computers that may be lent, such as group:"Evening"; empty: all of rooms marked as remote',
    },
    images: {
      type: 'array',
      items: text,
      default: [],
      description: 'names of the images that brokers may offer; empty: all',
    },
    hours: {
      type: 'integer',
      minimum: 1,
      maximum: 8760,
      default: 48,
      description: 'the longest time of a reservation, whatever a broker asks for',
    },
    wake_seconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 180,
      description: 'how long a woken computer may take to connect; it is kept for its broker as long',
    },
    answer_seconds: {
      type: 'integer',
      minimum: 0,
      maximum: 9,
      default: 0,
      description: 'how long a reservation waits for a woken computer: OpenRLabs gives up after 1 s, UDS after 10 s',
    },
    waking: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      default: 3,
      description: 'how many computers are woken at once for one broker and image',
    },
    schedule_minutes: {
      type: 'integer',
      minimum: 0,
      maximum: 1440,
      default: 60,
      description: 'a computer is not lent when a schedule runs on it within this time; 0: schedules do not matter',
    },
    silent_minutes: {
      type: 'integer',
      minimum: 0,
      maximum: 1440,
      default: 5,
      description: 'a reservation ends when its broker has not said within this time whom to call; 0: never',
    },
    logout_minutes: {
      type: 'integer',
      minimum: 0,
      maximum: 1440,
      default: 10,
      description: 'a reservation ends when its person has logged out and nobody has logged in for this time; 0: never',
    },
    brokers: {
      type: 'array',
      items: text,
      default: [],
      description: 'host names or addresses that may be called at log-in and log-out; empty: any',
    },
  },
} as const

const reservation = {
  type: 'object',
  required: ['state', 'by', 'broker', 'room', 'image', 'disk', 'partition', 'since', 'until', 'boot', 'off'],
  properties: {
    /** `waking`: woken for the broker, not promised yet. */
    state: { enum: ['waking', 'reserved', 'ended'] },
    /** Of the account, see `Rights`. */
    by: text,
    broker: text,
    room: id,
    image: id,
    disk: id,
    partition: id,
    since: time,
    until: time,
    /** `restart`: it is to be restarted; `start`: its system is to be started when it is in the live environment. */
    boot: { enum: ['restart', 'start', 'done'] },
    /** When that was begun. */
    tried: time,
    /** It is to be powered off. */
    off: flag,
    login: url,
    logout: url,
    release: url,
    deadline: time,
    /** Minutes of the last warning. */
    warned: id,
    user: text,
    /** The person was not logged in when that was last looked at. */
    unseen: flag,
    /** When its person logged out. */
    left: time,
    why: text,
  },
} as const

const agent = {
  type: 'object',
  required: ['secret'],
  properties: { secret: url, language: text, session: text },
} as const

/** By the address of the computer. A reservation is never deleted: the one that ended longest ago is chosen first. */
export const collections = { reservations: reservation, agents: agent } as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

export type Reservation = FromSchema<typeof reservation>
export type Stored = StoredDocument<Reservation>

export interface Context extends PackContext<Own> {
  services: Services
}

/** What an answer needs of the request. */
export interface Asked extends Context {
  rights: Rights
  /** The body, {} when there is none. */
  body: Readonly<Record<string, unknown>>
}
