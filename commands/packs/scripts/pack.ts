// A library of scripts with names, typed parameters and versions.
import type { Pack } from 'fleet-host'
import { collections, settings } from './_script-schemas.ts'

export default {
  contract: 3,
  summary: 'A library of scripts with parameters, versions, and who may run them',
  version: '1.0.0',
  settings,
  collections,
} as const satisfies Pack
