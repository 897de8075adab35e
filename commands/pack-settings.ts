// Replaces the settings of a pack: secrets that are left out stay.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { packName } from './_schemas/packs.ts'

const settings = {
  type: 'object',
  description:
    'all of them: one that is absent gets its default; a secret that is absent stays, one that is null is removed',
  // It may have secrets.
  writeOnly: true,
} as const

const payload = object({ pack: packName, settings })

export default {
  summary: 'Replace the settings of a pack',
  group: 'Modules',
  example: { pack: 'notify', settings: { sender: 'fleet@example.org' } },
  route: 'POST /pack/settings',
  access: 'admin',
  payload,
  answer: ({ payload, services }) => services.packs.setSettings(payload.pack, payload.settings),
} satisfies Command<typeof payload>
