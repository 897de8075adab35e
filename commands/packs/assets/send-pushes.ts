// Pushes the computers that are due to GLPI.
import type { Hook } from 'fleet-host'
import { pushDue } from './_pushes.ts'
import type pack from './pack.ts'

export default {
  summary: 'Push computers to GLPI',
  every: '15 minutes',
  run: pushDue,
} satisfies Hook<typeof pack>
