// Reads what columns show of a page of computers: nothing that no column needs.
import type { Computer, Frozen, HardwareItem, Store, SurveyedPartition } from '../../../stores/store.ts'
import type { FleetService, SessionsService } from '../../contract/services.ts'

export interface FactDeps {
  store: Pick<Store, 'computers' | 'inventory' | 'scopes'>
  fleet: Pick<FleetService, 'clients'>
  sessions: Pick<SessionsService, 'list'>
  lastSeen: { times(): Promise<ReadonlyMap<string, number>> }
}

/** What has to be read beyond the records. */
export interface Needs {
  needs?: 'partitions' | 'devices' | 'software' | 'seen'
  /** Of software: what the lines have. */
  text?: string
}

/** What is known of one computer. */
export interface ComputerFacts {
  record: Frozen<Computer>
  room: string
  center: string
  /** As in queries. */
  state: string
  /** Undefined: nobody is logged in. */
  user: string | undefined
  /** When it was last connected, in milliseconds since 1970; undefined: never. */
  seen: number | undefined
  rows: readonly SurveyedPartition[]
  devices: readonly HardwareItem[]
  /** The lines of its lists of software that have the text. */
  programs(text: string): string[]
}

/** Lines that a column of software shows of these computers. */
const mostLines = 2000

/** What is read once for all pages of a list. */
export type FleetFacts = Awaited<ReturnType<typeof readFleet>>

export async function readFleet(deps: FactDeps, columns: readonly Needs[]) {
  return {
    ...readLive(deps),
    seen: columns.some(({ needs }) => needs === 'seen') ? await deps.lastSeen.times() : undefined,
    rooms: await readRooms(deps.store),
  }
}

/** Those of the addresses that are computers, in the order of the addresses. */
export async function readFacts(
  deps: FactDeps,
  ips: readonly string[],
  columns: readonly Needs[],
  { states, users, seen, rooms }: FleetFacts,
): Promise<ComputerFacts[]> {
  const { store } = deps
  const needs = new Set(columns.map(({ needs }) => needs))
  const records = new Map((await store.computers.findMany(ips)).map(record => [record.ip, record]))
  const isSurveyed = needs.has('partitions') || needs.has('devices') || needs.has('software')
  const surveyed = isSurveyed ? await store.inventory.survey(ips) : []
  const survey = new Map(surveyed.map(computer => [computer.ip, computer]))
  const hardware = needs.has('devices') ? [...new Set(surveyed.map(computer => computer.hardware))] : []
  const devices = new Map((await store.inventory.devices(hardware)).map(({ id, items }) => [id, items]))
  const texts = columns.flatMap(({ text }) => text ?? [])
  const lists = [...new Set(surveyed.flatMap(({ rows }) => rows.map(({ software }) => software)))]
  const lines = new Map(await Promise.all(texts.map(async text => [text, await readLines(deps, lists, text)] as const)))
  return ips.flatMap((ip): ComputerFacts[] => {
    const record = records.get(ip)
    if (!record) return []
    const { rows = [], hardware = 0 } = survey.get(ip) ?? {}
    return [
      {
        record,
        ...(rooms.get(record.room) ?? { room: '', center: '' }),
        state: states.get(ip) ?? 'off',
        user: users.get(ip),
        seen: seen?.get(ip),
        rows,
        devices: devices.get(hardware) ?? [],
        programs: text => [...new Set(rows.flatMap(({ software }) => lines.get(text)?.get(software) ?? []))],
      },
    ]
  })
}

/** The names of all rooms and of their centers. */
export async function readRooms(store: Pick<Store, 'scopes'>) {
  const centers = await store.scopes()
  return new Map(
    centers.flatMap(({ name: center, scope }) => scope.map(({ id, name }) => [id, { room: name, center }] as const)),
  )
}

/** By list of software its lines that have the text. */
async function readLines({ store }: FactDeps, lists: readonly number[], text: string) {
  const lines = new Map<number, string[]>()
  const page = { like: text.includes('*') ? text : `*${text}*`, limit: mostLines }
  for (const { program, lists: having } of await store.inventory.programs(lists, page)) {
    for (const list of having) {
      const others = lines.get(list)
      if (others) others.push(program)
      else lines.set(list, [program])
    }
  }
  return lines
}

function readLive({ fleet, sessions }: FactDeps) {
  const wordOf = (state: string, status = 'on') => (state === 'WOL_SENT' ? 'waking' : status)
  return {
    states: new Map(fleet.clients().map(({ addr, state, status }) => [addr, wordOf(state, status)])),
    users: new Map(sessions.list().map(({ client, user }) => [client, user])),
  }
}
