// Partitions a disk of the listed clients and stores the new layout.
import type { Command } from 'fleet-host'
import { payload } from './_setup-payload.ts'
import { preflightSetup } from './_setup-preflight.ts'

const reply = { $ref: 'inventory' } as const

const slotExample = (partition: number) => ({ partition, code: 'LINUX', filesystem: 'EXT4', size: 9000000, format: 1 })

export default {
  summary: 'Partition a disk',
  group: 'Disks and images',
  example: {
    clients: ['10.1.1.20'],
    type: 'MSDOS',
    disk: '1',
    cache: '0',
    cache_size: '0',
    partition_setup: [1, 2, 3, 4].map(slotExample),
  },
  route: 'POST /setup',
  destructive: true,
  needsConsent: true,
  payload,
  preflight: ({ payload, services }) => preflightSetup(payload, services),
  forward: {
    to: 'POST /setup',
    deadline: 6 * 3600,
    reply,
    checkReply({ reply: { disk_setup = [], partition_setup = [] }, payload, services }) {
      const rows = [...disk_setup, ...partition_setup]
      // Agents reply with all their disks, or with none in a computer's own system.
      if (rows.length === 0 || rows.some(({ disk }) => Number(disk) === Number(payload.disk))) return undefined
      return services.refuse(`disk: expected rows of disk ${payload.disk}, got none`)
    },
    onReply: ({ reply, client, services }) => services.inventory.refresh(reply, client),
  },
} satisfies Command<typeof payload, typeof reply>
