// Adds a computer record.
import type { Command } from 'fleet-host'

const text = { type: 'string' } as const
const id = { type: 'integer', minimum: 0 } as const
const flag = { type: 'boolean' } as const

const payload = {
  type: 'object',
  required: ['name', 'ip', 'mac', 'room'],
  properties: {
    name: { type: 'string', minLength: 1 },
    ip: { $ref: 'ipv4' },
    mac: { type: 'string', pattern: '^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$', description: '12 hex digits' },
    room: id,
    netmask: text,
    boot: text,
    remote: flag,
    serial_number: text,
    hardware_id: id,
    repo_id: id,
    netiface: text,
    netdriver: text,
    livedir: text,
    maintenance: flag,
  },
} as const

export default {
  summary: 'Add a computer',
  example: { name: 'pc-20', ip: '10.1.1.20', mac: '00:1b:21:0a:0b:0c', room: 1 },
  route: 'POST /client/add',
  payload,
  async answer({ name, ip, mac, room: roomId, ...sent }, { store, refuse }) {
    const room = await store.rooms.find(roomId)
    if (!room) return refuse(`room: there is no room ${roomId}`)
    const conflicts = await store.computers.add([
      {
        name,
        ip,
        mac: mac.replaceAll(/[:-]/g, ''),
        room: roomId,
        netmask: sent.netmask || room.netmask,
        boot: sent.boot ?? 'pxe',
        remote: sent.remote ?? false,
        serial_number: sent.serial_number ?? '',
        hardware_id: sent.hardware_id ?? 0,
        repo_id: sent.repo_id ?? 1,
        netiface: sent.netiface ?? 'eth0',
        netdriver: sent.netdriver ?? 'generic',
        livedir: sent.livedir ?? 'ogLive',
        maintenance: sent.maintenance ?? false,
      },
    ])
    if (conflicts[0]) return refuse(`${ip}: ${conflicts[0].reason}`)
  },
} satisfies Command<typeof payload>
