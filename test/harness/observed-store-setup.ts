// An observed store that can be made to fail, with a center, a room and usually a computer.

import { createLog } from '../../host/log/log.ts'
import { observeStore } from '../../host/store/observed-store.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import { createHealth } from '../../host/system/health.ts'
import {
  computer as sampleComputer,
  image as sampleImage,
  report as sampleReport,
  room as sampleRoom,
} from '../conformance/samples.ts'
import { failingMethods, openFailingStore } from './failing-store.ts'

const center = { name: 'Center', comment: '' }

export const room = sampleRoom(1, 'Room')
export const computer = sampleComputer(1, '10.0.0.1', { mac: '000000000000', name: 'pc', boot: '' })
export const image = sampleImage('ubuntu', { center_id: 1 })
export const report = sampleReport()

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
