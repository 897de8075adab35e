// Finds the computers that GLPI is to know: what is new is pushed, what is gone is forgotten.
import type { Hook } from 'fleet-host'
import { findNew } from './_pushes.ts'
import type pack from './pack.ts'

export default {
  summary: 'Find computers for GLPI',
  every: '15 minutes',
  run: findNew,
} satisfies Hook<typeof pack>
