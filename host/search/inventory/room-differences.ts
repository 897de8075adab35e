// Compares the computers of a room: what most others have and one has not, and the other way.
import type { HardwareItem, Store, SurveyedComputer } from '../../../stores/store.ts'
import { refuse } from '../../contract/refusal.ts'
import type { DifferencesAnswer, Rights } from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'
import { diskSizes, unique } from './computer-columns.ts'
import { toGB } from './fleet-summary.ts'
import { surveyPages } from './survey-pages.ts'

export interface DifferencesDeps {
  store: Pick<Store, 'computers' | 'rooms' | 'inventory'>
}

type ComputerAnswer = DifferencesAnswer['computers'][number]
type Difference = ComputerAnswer['missing'][number]
type Kind = Difference['kind']

/** What one computer has of each kind; a kind of which nothing is known is absent, and is not compared. */
type Belongings = Partial<Record<Kind, string[]>>

/** A response has a limit: the computers that differ most, and of each what differs from most others. */
const [mostComputers, mostEntries] = [30, 10]

/** Lines that are compared in one room. */
const mostLines = 20_000

/** Of fewer computers none is the odd one. */
const fewestCompared = 3

export async function compareRoom(deps: DifferencesDeps, room: number, { hasRoom }: Rights) {
  // Also for a room that does not exist: a limited caller must not learn which do.
  if (!hasRoom(room)) return refuse('room: expected a room of the token', 403)
  if (!(await deps.store.rooms.find(room))) return refuse(`room: there is no room ${room}`)
  const computers: SurveyedComputer[] = []
  for await (const computer of surveyPages(deps, await deps.store.computers.list(room))) computers.push(computer)
  const belongings = await readBelongings(deps, computers)
  const owners = await countOwners(belongings)
  const differing: ComputerAnswer[] = []
  await slices.forEach(belongings.entries(), ([at, each]) => {
    const computer = computers[at]
    if (computer) differing.push({ client: computer.ip, ...differencesOf(each, owners) })
  })
  const names = new Map(
    (await deps.store.computers.findMany(computers.map(({ ip }) => ip))).map(each => [each.ip, each]),
  )
  const sizeOf = ({ missing_count, extra_count }: ComputerAnswer) => missing_count + extra_count
  const shown = differing.filter(each => sizeOf(each) > 0).sort((one, other) => sizeOf(other) - sizeOf(one))
  const answer: DifferencesAnswer = {
    compared: computers.length,
    different: shown.length,
    computers: shown.slice(0, mostComputers).map(each => ({ ...each, name: names.get(each.client)?.name ?? '' })),
  }
  return answer
}

async function readBelongings({ store }: DifferencesDeps, computers: readonly SurveyedComputer[]) {
  const lists = unique(computers.flatMap(({ rows }) => rows.map(({ software }) => software))).filter(Boolean)
  const programs = new Map<number, string[]>(lists.map(list => [list, []]))
  for (const { program, lists: having } of await store.inventory.programs(lists, { like: '*', limit: mostLines })) {
    for (const list of having) programs.get(list)?.push(program)
    await slices.pause()
  }
  const hardware = unique(computers.map(({ hardware }) => hardware)).filter(Boolean)
  const devices = new Map((await store.inventory.devices(hardware)).map(({ id, items }) => [id, items]))
  return computers.map(computer => belongingsOf(computer, programs, devices.get(computer.hardware)))
}

function belongingsOf(
  { rows }: SurveyedComputer,
  programs: ReadonlyMap<number, string[]>,
  devices: readonly HardwareItem[] | undefined,
): Belongings {
  const software = rows.flatMap(row => programs.get(row.software) ?? [])
  return {
    ...(software.length > 0 && { software: unique(software) }),
    ...(devices && { device: unique(devices.map(({ type, description }) => `${type}: ${description}`)) }),
    ...(rows.length > 0 && {
      disk: unique(diskSizes(rows).map(size => `${toGB(size)} GB`)),
      system: unique(rows.map(({ system }) => system)),
      image: unique(rows.map(({ image }) => image)),
    }),
  }
}

/** Of each kind how many computers have what, and of how many it is known. */
type Owners = Map<Kind, { known: number; counts: Map<string, number> }>

async function countOwners(belongings: readonly Belongings[]): Promise<Owners> {
  const owners: Owners = new Map()
  for (const each of belongings) {
    await slices.pause()
    for (const [kind, texts] of entriesOf(each)) {
      const { known, counts } = owners.get(kind) ?? { known: 0, counts: new Map<string, number>() }
      for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
      owners.set(kind, { known: known + 1, counts })
    }
  }
  return owners
}

function differencesOf(belongings: Belongings, owners: Owners): Omit<ComputerAnswer, 'client' | 'name'> {
  const [missing, extra]: [Difference[], Difference[]] = [[], []]
  for (const [kind, texts] of entriesOf(belongings)) {
    const { known, counts } = owners.get(kind) ?? { known: 0, counts: new Map<string, number>() }
    if (known < fewestCompared) continue
    const having = new Set(texts)
    for (const [text, computers] of counts) {
      if (having.has(text) && computers * 2 < known) extra.push({ kind, text, computers, of: known })
      if (!having.has(text) && computers * 2 > known) missing.push({ kind, text, computers, of: known })
    }
  }
  return {
    missing: missing.sort((one, other) => other.computers - one.computers).slice(0, mostEntries),
    extra: extra.sort((one, other) => one.computers - other.computers).slice(0, mostEntries),
    missing_count: missing.length,
    extra_count: extra.length,
  }
}

// `as`: the keys of an object are those of its type.
const entriesOf = (belongings: Belongings) => Object.entries(belongings) as [Kind, string[]][]
