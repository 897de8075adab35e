// The schemas of the settings and collections of this pack, and their types.
import type { FromSchema, PackContext, Services, SettingsOf } from 'fleet-host'

const text = { type: 'string', maxLength: 2000 } as const
const time = { type: 'integer', description: 'milliseconds since 1970' } as const

const glpi = {
  type: 'object',
  default: {},
  properties: {
    url: {
      ...text,
      default: '',
      description: 'where GLPI takes inventories: https://glpi.example/front/inventory.php; empty: nothing is pushed',
    },
    authorization: {
      enum: ['none', 'basic', 'oauth'],
      default: 'none',
      description: 'as in the settings of inventories in GLPI; oauth: client credentials, from GLPI 11 on',
    },
    user: { ...text, default: '', description: 'the login; with oauth: the id of the client' },
    password: { ...text, writeOnly: true, description: 'the password; with oauth: the secret of the client' },
    where: { ...text, default: '', description: 'which computers are pushed: a query; empty: all' },
    hours: {
      type: 'integer',
      minimum: 1,
      maximum: 720,
      default: 24,
      description: 'a computer that has not changed is pushed again after so many hours',
    },
    seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 15,
      default: 15,
      description: 'how long GLPI may take for an answer',
    },
  },
} as const

export const settings = {
  type: 'object',
  properties: {
    users: {
      type: 'boolean',
      default: false,
      description: 'lists and pushes say who is logged in: personal data',
    },
    junk: {
      type: 'array',
      items: text,
      default: [],
      description: 'further texts that are no serial numbers, such as "Not Available"',
    },
    glpi,
  },
} as const

export const collections = {
  /** By address: what was pushed, and what is to be pushed again before its time. */
  pushes: {
    type: 'object',
    required: ['attempts'],
    properties: {
      /** Absent: when the last push is old enough. */
      due: time,
      /** That have failed since the last success. */
      attempts: { type: 'integer' },
      pushed: time,
      /** Why the last attempt has failed. */
      reason: text,
    },
  },
  /** One document, while GLPI takes nothing at all. */
  outage: {
    type: 'object',
    required: ['failures', 'due', 'reason'],
    properties: { failures: { type: 'integer' }, due: time, reason: text },
  },
} as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

export type GlpiSettings = SettingsOf<Own>['glpi']
export type Push = FromSchema<typeof collections.pushes>

export interface Context extends PackContext<Own> {
  services: Services
}

/** With the default of the query `where` of all lists. */
export const whereQuery = {
  type: 'string',
  description: 'which computers: a query; default: all that the caller may see',
  examples: ['room:"Lab 1"'],
} as const
