// The schemas of the settings and collections of this pack, and their types.
import type { FromSchema, PackContext, Services, SettingsOf } from 'fleet-host'

const text = { type: 'string', maxLength: 300 } as const
const count = { type: 'integer', minimum: 0 } as const
const time = { type: 'integer', description: 'milliseconds since 1970' } as const

const limits = <Warning extends number, Failing extends number>(
  description: string,
  warning: Warning,
  failing: Failing,
) =>
  ({
    type: 'object',
    default: {},
    description: `${description}; 0: never`,
    properties: {
      warning: { ...count, default: warning, description: 'from this on a warning' },
      failing: { ...count, default: failing, description: 'from this on the disk is failing' },
    },
  }) as const

export const settings = {
  type: 'object',
  properties: {
    reallocated: limits('sectors that were replaced by spare ones', 1, 100),
    pending: limits('sectors that wait to be reallocated', 1, 50),
    uncorrectable: limits('errors that the disk could not correct', 1, 50),
    media_errors: limits('NVMe: data that could not be read or written correctly', 1, 50),
    wear: limits('percent of the rated life of a solid-state disk that are used', 80, 100),
    temperature: limits('degrees Celsius', 60, 0),
    full: {
      ...count,
      maximum: 100,
      default: 95,
      description: 'percent of a file system that are used, from which on it is a warning; 0: never',
    },
  },
} as const

/** What is kept of a disk; absent where it does not say it. */
export const values = {
  reallocated: count,
  pending: count,
  uncorrectable: count,
  media_errors: count,
  wear: { ...count, description: 'percent of its rated life that are used' },
  spare: { ...count, description: 'NVMe: percent of the spare memory that are left' },
  critical_warning: { ...count, description: 'NVMe: bits, 0 is good' },
  temperature: { ...count, description: 'degrees Celsius' },
  hours: { ...count, description: 'how long it was on' },
} as const

export const state = { enum: ['ok', 'warning', 'failing', 'unknown'] } as const
const reasons = { type: 'array', items: text } as const

export const disk = {
  type: 'object',
  required: ['name', 'model', 'serial', 'state', 'reasons', 'values'],
  properties: {
    name: { ...text, examples: ['sda'] },
    model: { ...text, examples: ['ST1000DM010-2EP102'] },
    serial: { ...text, examples: ['Z9ABCDEF'] },
    size: { ...count, description: 'GB', examples: [1000] },
    state,
    reasons,
    values: { type: 'object', properties: values },
    time: { ...time, description: 'when it has said so: earlier than the report of a disk that was in standby then' },
  },
} as const

export const computer = {
  type: 'object',
  required: ['asked', 'state', 'reasons', 'disks', 'filesystems'],
  properties: {
    asked: time,
    /** Absent: it has never reported. */
    time,
    state,
    /** With the names of disks and file systems. */
    reasons,
    disks: { type: 'array', items: disk },
    filesystems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['mount', 'percent', 'free'],
        properties: { mount: text, percent: count, free: { ...count, description: 'MiB' } },
      },
    },
  },
} as const

const point = { type: 'object', required: ['day'], properties: { day: text, ...values } } as const

export const collections = {
  /** By address: what was asked and reported last. */
  computers: computer,
  /** By address and disk: one entry a day. */
  history: { type: 'object', required: ['points'], properties: { points: { type: 'array', items: point } } },
} as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

export type Settings = SettingsOf<Own>
export type ComputerHealth = FromSchema<typeof computer>
export type DiskHealth = FromSchema<typeof disk>
export type DiskValues = DiskHealth['values']
export type State = FromSchema<typeof state>

export interface Context extends PackContext<Own> {
  services: Services
}

export const worse = (one: State, other: State): State => (ranks[one] >= ranks[other] ? one : other)
/** The worst has the highest. */
export const ranks: Record<State, number> = { unknown: 0, ok: 1, warning: 2, failing: 3 }
