// Sets what a pack may do.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { packName, packRole } from './_schemas/packs.ts'

const payload = object({ pack: packName, role: packRole })

export default {
  summary: 'Set the role of a pack',
  group: 'Modules',
  example: { pack: 'notify', role: 'read' },
  route: 'POST /pack/role',
  access: 'admin',
  payload,
  answer: ({ payload, services }) => services.packs.setRole(payload.pack, payload.role),
} satisfies Command<typeof payload>
