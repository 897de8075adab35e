// The recorder of the history over a store, on a host without a daemon around it.
import { createOneHost } from '../../host/cluster/one-host.ts'
import { loadOptions } from '../../host/config/options.ts'
import type { ClientEntry, ClientHistory, RoomsHistory } from '../../host/contract/services.ts'
import { createHistory } from '../../host/history/service.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import openMemory from '../../stores/memory/index.ts'
import type { Store } from '../../stores/store.ts'
import { computer, room } from '../conformance/samples.ts'
import { everyone } from './lab-host.ts'

export const addr = '10.1.1.20'
export const minute = 60_000

export async function openStore(): Promise<Store> {
  const store = await openMemory({ adapter: 'memory', path: '' }, { info() {}, warn() {} })
  await store.centers.add({ name: 'Center', comment: '' })
  await store.rooms.add(room(1, 'Room'))
  await store.computers.add([computer(1, addr), computer(1, '10.1.1.21')])
  return store
}

/** A host over the store, whose computers are off. */
export function startHistory(
  store: Store,
  clock = createManualClock('2026-09-14T08:01:00Z'),
  history = {},
  limits = {},
) {
  const lines: string[] = []
  const log = createLog(line => lines.push(line))
  const events = createEvents(log)
  const clients = new Map<string, ClientEntry>()
  const sessions = new Map<string, { client: string; user?: string }>()
  const member = { isLeader: true, count: 1, onChange: () => {} }
  const { options } = loadOptions()
  const service = createHistory({
    options: { limits: { ...options.limits, ...limits }, history: { ...options.history, ...history } },
    store,
    cluster: {
      ...createOneHost(store, events),
      isLeader: () => member.isLeader,
      members: () => new Array(member.count).fill({ name: '' }),
      onMembersChange(listener) {
        member.onChange = listener
      },
    },
    fleet: { clients: () => [...clients.values()] },
    sessions: { list: () => [...sessions.values()] },
    failures: { list: async () => [] },
    clock,
    log,
  })
  const check = async () => {
    service.recorder.check()
    await service.recorder.settle()
  }
  const emit = (event: FleetEvent) => events.emit(event)
  return {
    ...{ clock, lines, member, emit },
    /** Until the next count, and those after it. */
    async count(times = 1) {
      for (let count = 0; count < times; count += 1) {
        await clock.advance(5 * minute - (clock.now() % (5 * minute)))
        await check()
      }
    },
    check,
    set(status: string) {
      clients.set(addr, { addr, state: 'OFF', speed: 0, last_cmd: { result: 'unknown' }, status } as ClientEntry)
      emit({ type: 'client-state', addr, state: 'OFF', status })
    },
    leave() {
      clients.delete(addr)
      sessions.delete(addr)
      emit({ type: 'client-gone', addr })
    },
    login(user: string) {
      sessions.set(addr, { client: addr, user })
      emit({ type: 'session-login', addr, user })
    },
    async rooms(query = {}) {
      const answer = (await service.history.rooms({ from: '2026-09-14T08:00Z', ...query }, everyone)) as RoomsHistory
      return answer.series[0]
    },
    client: async (query = {}) =>
      (await service.history.client(addr, { from: '2026-09-14T08:00Z', ...query })) as ClientHistory,
    close: () => service.recorder.close(),
  }
}

export const changesOf = ({ changes }: ClientHistory) =>
  changes.map(({ time, state, in_use, user }) => [time.slice(11, 19), state, in_use, ...(user ? [user] : [])])
export const gapsOf = ({ gaps }: ClientHistory) =>
  gaps.map(({ from, to }) => `${from.slice(11, 16)}-${to.slice(11, 16)}`)
