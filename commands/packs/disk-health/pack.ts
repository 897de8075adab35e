// Watches the disks of computers: which are failing, which wear out, and which file systems are full.
import type { Pack } from 'fleet-host'
import { collections, settings } from './_health-schemas.ts'

export default {
  contract: 3,
  summary: 'Disks that are failing or wear out, and full file systems',
  version: '1.0.0',
  settings,
  collections,
} as const satisfies Pack
