// The schemas of the settings and collections of this pack, and their types.
import type { FromSchema, PackContext, Services, SettingsOf } from 'fleet-host'

const text = { type: 'string', maxLength: 2000 } as const
const path = { ...text, pattern: '^$|^/[^\\n]*[^/\\n]$', default: '' } as const
/** No sign that separates fields in the files of dnsmasq. */
const bootFile = { type: 'string', maxLength: 127, pattern: '^[A-Za-z0-9._/:+=?&%-]*$' } as const

const dnsmasq = {
  type: 'object',
  default: {},
  properties: {
    hosts_file: {
      ...path,
      description: 'file of this pack alone, which dhcp-hostsfile of dnsmasq names; empty: none is written',
    },
    options_file: { ...path, description: 'the same for dhcp-optsfile, with what computers boot; empty: none' },
    pid_file: { ...path, description: 'of the dnsmasq that reads the files again after a change; empty: none' },
    others: {
      type: 'array',
      items: text,
      default: [],
      description: 'files with entries of others, which are compared and never written: /etc/dnsmasq.d/static.conf',
    },
  },
} as const

const kea = {
  type: 'object',
  default: {},
  properties: {
    urls: {
      type: 'array',
      items: text,
      maxItems: 10,
      default: [],
      description: 'control agents or servers, both of a pair: http://10.1.0.2:8000/; empty: none',
    },
    user: { ...text, default: '', description: 'empty: no login' },
    password: { ...text, writeOnly: true },
  },
} as const

const boot = {
  type: 'array',
  maxItems: 500,
  default: [],
  description: 'what computers boot from the network, by room; other rooms have what the server is set up for',
  items: {
    type: 'object',
    additionalProperties: false,
    properties: {
      room: { type: 'integer', minimum: 0, idOf: 'room', description: 'none, or 0: all rooms without a line' },
      next_server: { type: 'string', pattern: '^$|^[0-9]{1,3}(\\.[0-9]{1,3}){3}$', description: 'address of TFTP' },
      bios: { ...bootFile, description: 'boot file for BIOS: lpxelinux.0' },
      efi64: { ...bootFile, description: 'for UEFI with 64 bits: grubx64.efi' },
      efi32: { ...bootFile, description: 'for UEFI with 32 bits' },
      arm64: { ...bootFile, description: 'for UEFI on ARM with 64 bits' },
    },
  },
} as const

export const settings = {
  type: 'object',
  properties: {
    automatic: {
      type: 'boolean',
      default: false,
      description: 'servers are changed some seconds after records have; otherwise only by "Sync now"',
    },
    where: { ...text, default: '', description: 'which computers get reservations: a query; empty: all' },
    dnsmasq,
    kea,
    boot,
  },
} as const

const outcome = {
  type: 'object',
  required: ['time', 'problem'],
  properties: {
    time: { type: 'integer', description: 'milliseconds since 1970' },
    /** '': it succeeded. */
    problem: text,
  },
} as const

export const collections = {
  /** Of the last sync, by server. */
  outcomes: outcome,
  /** One document while a sync runs. */
  running: { type: 'object', required: ['until'], properties: { until: { type: 'integer' } } },
} as const

interface Own {
  settings: typeof settings
  collections: typeof collections
}

export type Settings = SettingsOf<Own>
export type BootEntry = FromSchema<typeof boot>[number]

export interface Context extends PackContext<Own> {
  services: Services
}
