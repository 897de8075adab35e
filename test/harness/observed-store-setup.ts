// An observed store that can be made to fail, with a center, a room and usually a computer.

import { createLog } from '../../host/log/log.ts'
import { observeStore } from '../../host/store/observed-store.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import { createHealth } from '../../host/system/health.ts'
import { failingMethods, openFailingStore } from './failing-store.ts'

const center = { name: 'Center', comment: '' }
export const room = {
  name: 'Room',
  center: 1,
  netmask: '',
  location: '',
  gateway: '',
  ntp: '',
  dns: '',
  group: 0,
  remote: false,
}
export const computer = {
  ip: '10.0.0.1',
  mac: '000000000000',
  name: 'pc',
  room: 1,
  netmask: '',
  boot: '',
  livedir: '',
  serial_number: '',
  hardware_id: 0,
  repo_id: 1,
  netiface: '',
  netdriver: '',
  remote: false,
  maintenance: false,
}
export const image = {
  name: 'ubuntu',
  description: '',
  repo_id: 1,
  type: 0,
  datasize: 0,
  software_id: 0,
  group_id: 0,
  center_id: 1,
  clonator: '',
  compressor: '',
  filesystem: '',
}
export const report = { rows: [], serial_number: '' }

/** An observed store; with a center and a room, and with a computer unless `computers` is empty. */
export async function openObservedStore(computers = [computer]) {
  failingMethods.clear()
  const events = createEvents(createLog(() => {}))
  const emitted: FleetEvent[] = []
  events.on(event => emitted.push(event))
  const times: number[] = []
  const { store, probe, ensureWritable } = observeStore(await openFailingStore(), events, seconds =>
    times.push(seconds),
  )
  await store.centers.add(center)
  await store.rooms.add(room)
  if (computers.length > 0) await store.computers.add(computers)
  const health = createHealth(0)
  health.add('store', async () => void (await probe()))
  emitted.length = 0
  return { store, events: emitted, times, ensureWritable, problems: () => health.problems() }
}
