// Finds programs by their names, and counts the computers that have them: in all, by version and by room.
import { splitVersion } from '../../../stores/rules/search/versions.ts'
import type { ListedProgram, ListOwners } from '../../../stores/store.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { FleetInventoryService, ProgramsRequest, Rights } from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'
import { readRooms } from './computer-facts.ts'
import type { SurveyDeps } from './survey-pages.ts'

type ProgramsAnswer = Exclude<Awaited<ReturnType<FleetInventoryService['programs']>>, { refused: string }>
type FoundProgram = ProgramsAnswer['programs'][number]

/** Of each program: a response has a limit. */
const mostRooms = 20

export async function findPrograms(deps: SurveyDeps, request: ProgramsRequest, rights: Rights) {
  const { search = '', where = '', limit = '100', after } = request
  const found = await deps.search.find(where, rights)
  if (isRefusal(found)) return found
  const { inventory } = deps.store
  const owners = await inventory.owners(found.map(({ ip }) => ip))
  const text = search.toLowerCase()
  const page = { like: text.includes('*') ? text : `*${text}*`, after, limit: Number(limit) + 1 }
  const lines = await inventory.programs([...new Set(owners.map(({ list }) => list))], page)
  const { shown, next } = cutPage(lines, Number(limit))
  return toAnswer(deps, await countComputers(shown, owners), next)
}

/** Without the versions of a program that is not there as a whole, unless the page has no other. */
function cutPage(lines: readonly ListedProgram[], limit: number): { shown: readonly ListedProgram[]; next?: string } {
  if (lines.length <= limit) return { shown: lines }
  const nameAt = (at: number) => splitVersion(lines[at]?.program ?? '').name
  let end = limit
  while (end > 0 && nameAt(end - 1) === nameAt(limit)) end -= 1
  const shown = lines.slice(0, end || limit)
  return { shown, next: shown.at(-1)?.program ?? '' }
}

async function countComputers(lines: readonly ListedProgram[], owners: readonly ListOwners[]): Promise<FoundProgram[]> {
  const programs: (FoundProgram & { byRoom: Map<number, number> })[] = []
  const { byList, size } = numberComputers(owners)
  // By computer the line and the program that counted it last: no computer counts twice.
  const [lastLine, lastProgram] = [new Int32Array(size), new Int32Array(size)]
  for (const [at, { program: line, lists }] of lines.entries()) {
    await slices.pause()
    const { name, version } = splitVersion(line)
    if (programs.at(-1)?.name !== name)
      programs.push({ name, computers: 0, versions: [], rooms: [], byRoom: new Map() })
    const program = programs.at(-1)
    if (!program) continue
    let computers = 0
    for (const { room, numbers } of lists.flatMap(list => byList.get(list) ?? [])) {
      let added = 0
      for (const computer of numbers) {
        if (lastLine[computer] !== at + 1) computers += 1
        lastLine[computer] = at + 1
        if (lastProgram[computer] !== programs.length) added += 1
        lastProgram[computer] = programs.length
      }
      program.computers += added
      if (added > 0) program.byRoom.set(room, (program.byRoom.get(room) ?? 0) + added)
    }
    program.versions.push({ ...(version !== undefined && { version }), computers })
  }
  return programs.map(({ byRoom, ...program }) => ({
    ...program,
    rooms: [...byRoom]
      .map(([room, computers]) => ({ room, computers }))
      .sort((one, other) => other.computers - one.computers || one.room - other.room)
      .slice(0, mostRooms),
  }))
}

/** Each computer gets a number from 0 on; `size`: how many there are. */
function numberComputers(owners: readonly ListOwners[]) {
  const numberOf = new Map<number, number>()
  const byList = new Map<number, { room: number; numbers: number[] }[]>()
  for (const { list, room, computers } of owners) {
    for (const id of computers) if (!numberOf.has(id)) numberOf.set(id, numberOf.size)
    const ofRoom = { room, numbers: computers.map(id => numberOf.get(id) ?? 0) }
    const others = byList.get(list)
    if (others) others.push(ofRoom)
    else byList.set(list, [ofRoom])
  }
  return { byList, size: numberOf.size }
}

async function toAnswer({ store }: SurveyDeps, programs: FoundProgram[], next?: string): Promise<ProgramsAnswer> {
  const named = new Set(programs.flatMap(({ rooms }) => rooms.map(({ room }) => room)))
  const rooms = [...(await readRooms(store))].flatMap(([room, { room: name, center }]) =>
    named.has(room) ? { room, name, center } : [],
  )
  return { programs, rooms, ...(next !== undefined && { next }) }
}
