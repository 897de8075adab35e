// Takes the files of a pack out of service; what it keeps stays.
import type { Command } from 'fleet-host'
import { packPayload } from './_schemas/packs.ts'

export default {
  summary: 'Disable a pack',
  group: 'Modules',
  route: 'POST /pack/disable',
  access: 'admin',
  confirm: 'ask',
  payload: packPayload,
  answer: ({ payload, services }) => services.packs.disable(payload.pack),
} satisfies Command<typeof packPayload>
