// Sends the messages that are due.
import type { Hook } from 'fleet-host'
import { sendDue } from './_send.ts'
import type pack from './pack.ts'

export default {
  summary: 'Send messages',
  every: '15 seconds',
  run: sendDue,
} satisfies Hook<typeof pack>
