// Centers with their rooms, and repositories.
import { flag, number, optional, type RecordOf, record, text } from './record-columns.ts'

export const center = record({ id: number, name: text, comment: text })

export interface Center extends RecordOf<typeof center> {}

export const room = record({
  id: number,
  center: number,
  name: text,
  netmask: text,
  location: text,
  gateway: text,
  ntp: text,
  dns: text,
  group: number,
  remote: flag,
})

export interface Room extends RecordOf<typeof room> {}

export const repository = record({
  id: number,
  name: text,
  ip: text,
  /** How many images may be copied from or to it at once; absent: any number. */
  slots: optional(number, 0),
})

/** Repository 1 always exists; its empty `ip` stands for the daemon's own address. */
export interface Repository extends RecordOf<typeof repository> {}
