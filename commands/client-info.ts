// Reads the record of a computer.
import type { CommandOf } from 'fleet-host'
import { oneAddress } from './_schemas/computer-fields.ts'
import { address, described, flag, integer, like, object, text } from './_schemas/objects.ts'

const payload = object({ client: oneAddress })

const returns = object({
  id: like(integer, 20),
  name: like(text, 'pc-20'),
  ip: address,
  mac: described(text, 'hardware address, 12 hex digits', '001b210a0b0c'),
  room: described(integer, 'id of its room', 1),
  center: described(integer, 'id of its center', 1),
  netmask: like(text, '255.255.255.0'),
  boot: described(text, 'boot mode', 'pxe'),
  remote: flag,
  serial_number: like(text, 'CZC8473H2K'),
  hardware_id: described(integer, 'id of its hardware profile, 0 none', 0),
  repo_id: described(integer, 'id of its image repository', 1),
  netiface: described(text, 'network interface in the live system', 'eth0'),
  netdriver: described(text, 'driver of that interface', 'generic'),
  livedir: described(text, 'folder of the live system that it boots', 'ogLive'),
  maintenance: described(flag, 'tasks and schedules leave it out'),
  'place?': described(object({ row: like(integer, 1), column: like(integer, 4) }), 'its seat; absent when it has none'),
  'tags?': described({ type: 'array', items: text }, 'absent when it has none', ['cad']),
})

export default {
  summary: 'Read a computer record',
  group: 'Centers, rooms and computers',
  route: 'GET /client/info',
  http: { prefix: true },
  returns,
  payload,
  async answer({ payload, services }) {
    const [ip = ''] = payload.client
    return (await services.store.computers.find(ip)) ?? services.refuse(`client: there is no computer ${ip}`)
  },
} satisfies CommandOf<{ payload: typeof payload; returns: typeof returns }>
