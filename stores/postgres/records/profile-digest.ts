// Digests of lists: two lists with the same texts in the same sequence have the same digest, and share one row.
import { createHash } from 'node:crypto'
import type { HardwareItem, Software } from '../../store.ts'

/** The digest is stored: a change of its form needs a migration. */
const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url')

export interface HardwareProfile {
  digest: string
  types: string[]
  descriptions: string[]
}

export interface SoftwareProfile extends Software {
  digest: string
}

export function toHardwareProfile(items: readonly HardwareItem[]): HardwareProfile {
  return {
    digest: digestOf(items.flatMap(({ type, description }) => [type, description])),
    types: items.map(({ type }) => type),
    descriptions: items.map(({ description }) => description),
  }
}

export function toSoftwareProfile({ os, programs }: Software): SoftwareProfile {
  return { digest: digestOf([os, ...programs]), os, programs }
}

export const toHardwareItems = ({ types, descriptions }: Omit<HardwareProfile, 'digest'>): HardwareItem[] =>
  types.map((type, at) => ({ type, description: descriptions[at] ?? '' }))
