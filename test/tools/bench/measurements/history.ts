// Measures the history of many computers: the CPU of a count, what is stored and read of a year, from one busy day.
import { createOneHost } from '../../../../host/cluster/one-host.ts'
import { loadOptions } from '../../../../host/config/options.ts'
import type { ClientEntry } from '../../../../host/contract/services.ts'
import { createHistory } from '../../../../host/history/service.ts'
import { createLog } from '../../../../host/log/log.ts'
import { createEvents, type Events } from '../../../../host/system/events.ts'
import { createManualClock } from '../../../../host/test-kit/manual-clock.ts'
import openMemory from '../../../../stores/memory/index.ts'
import { computer, room } from '../../../conformance/samples.ts'
import { everyone } from '../../../harness/lab-host.ts'
import { atMost, count, type Measurement, median, type Row } from '../measurement.ts'

const computersOfRoom = 30
/** Of each computer: switched on and off, logged in and out. */
const changesOfDay = 10
const ticksOfDay = 288
/** Ticks, from 8 to 20 o'clock. */
const open = { from: 96, to: 240 }
const daysOfYear = 365
const tick = 300_000
/** In which the changes of a tick come. */
const steps = 20

export const history: Measurement = {
  name: 'history',
  sizes: [10_000],
  async run(_bench, size) {
    const lab = await startLab(size)
    const costs: number[] = []
    for (let at = 0; at < ticksOfDay; at += 1) {
      const isOpen = at >= open.from && at < open.to
      for (let step = 0; isOpen && step < steps; step += 1) {
        lab.change(Math.round((size * changesOfDay) / (open.to - open.from) / steps))
        await lab.clock.advance(tick / steps - 1)
      }
      const cost = await lab.count()
      if (isOpen) costs.push(cost)
    }
    return lab.rows(costs)
  },
}

async function startLab(size: number) {
  const store = await openMemory({ adapter: 'memory', path: '' }, { info() {}, warn() {} })
  await store.centers.add({ name: 'Center', comment: '' })
  const rooms = Math.ceil(size / computersOfRoom)
  for (let number = 1; number <= rooms; number += 1) await store.rooms.add(room(1, `Room ${number}`))
  const ips = Array.from({ length: size }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
  await store.computers.add(ips.map((ip, at) => computer(1 + Math.floor(at / computersOfRoom), ip)))
  const clock = createManualClock('2026-09-14T00:00:00Z')
  const log = createLog(line => console.error(line))
  const events = createEvents(log)
  const clients = new Map<string, ClientEntry>()
  const { recorder, history } = createHistory({
    ...{ options: loadOptions().options, store, clock, log },
    cluster: createOneHost(store, events),
    fleet: { clients: () => [...clients.values()] },
    sessions: { list: () => [] },
    failures: { list: async () => [] },
  })
  const change = createChanges(ips, clients, events)
  return {
    clock,
    change,
    /** Resolves to the milliseconds of CPU time. */
    async count() {
      await clock.advance(tick - (clock.now() % tick))
      const before = process.cpuUsage()
      recorder.check()
      await recorder.settle()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    },
    async rows(costs: number[]): Promise<Row[]> {
      const name = `${count(size)} computers`
      const [{ bytes = 0 } = {}] = await store.documents.sizes()
      const read = async (work: () => Promise<unknown>) => {
        const began = performance.now()
        await work()
        return performance.now() - began
      }
      const from = '2026-09-14'
      const row = (figure: string, measured: number, unit: string, most?: number): Row => {
        return { figure: `history of ${name}: ${figure}`, measured, unit, targets: atMost(most) }
      }
      return [
        row('CPU of a count in open hours', median(costs), 'ms', 500),
        row('longest one', Math.max(...costs), 'ms'),
        row('stored of a year of busy days', (bytes * daysOfYear) / 2 ** 20, 'MiB', 300),
        row('read a day of all, by center', await read(() => history.rooms({ from, by: 'center' }, everyone)), 'ms'),
        row('read a day of a computer', await read(() => history.client(ips[0] ?? '', { from })), 'ms'),
      ]
    },
  }
}

/** Changes so many computers of all, one after the other: on, logged in, logged out, off. */
function createChanges(ips: readonly string[], clients: Map<string, ClientEntry>, events: Events) {
  let next = 0
  return (number: number) => {
    for (let at = 0; at < number; at += 1) {
      // Far from each other, so that all rooms change.
      const addr = ips[(next * 7919) % ips.length] ?? ''
      next += 1
      const { status } = clients.get(addr) ?? {}
      if (status === 'linux' && next % 2 === 0) {
        clients.delete(addr)
        events.emit({ type: 'client-gone', addr })
        continue
      }
      const now = status === 'linux' ? 'linux-session' : 'linux'
      clients.set(addr, { addr, state: 'OFF', speed: 0, last_cmd: { result: 'unknown' }, status: now })
      if (status === 'linux-session') events.emit({ type: 'session-logout', addr })
      events.emit({ type: 'client-state', addr, state: 'OFF', status: now })
    }
  }
}
