// The inventory of the fleet for commands: lists of computers with chosen columns.
import { writeRecord } from '../../computers/import/csv.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type {
  ColumnsRequest,
  FleetInventoryService,
  FoundComputer,
  Refusal,
  Rights,
  SearchService,
} from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'
import { type Cell, type ChosenColumn, cellText, chooseColumns, chooseOrder, compareCells } from './computer-columns.ts'
import { type FactDeps, readFacts, readFleet } from './computer-facts.ts'
import { findPrograms } from './fleet-programs.ts'
import { summarize } from './fleet-summary.ts'
import { findChanges, type HistoryDeps, readHistory } from './history-pages.ts'
import { readSystems } from './partition-systems.ts'
import { compareRoom, type DifferencesDeps } from './room-differences.ts'
import { computersAtOnce } from './survey-pages.ts'

export interface FleetInventoryDeps extends FactDeps {
  store: FactDeps['store'] & DifferencesDeps['store'] & HistoryDeps['store']
  search: SearchService
}

interface Row {
  ip: string
  cells: Cell[]
}

/** The computers that a request finds, in its order. */
interface Found {
  columns: ChosenColumn[]
  total: number
  /** From behind `after` on. */
  computers: readonly { ip: string }[]
  /** What follows so many of them. */
  nextAfter(count: number): string
}

export function createFleetInventory(deps: FleetInventoryDeps): FleetInventoryService {
  return {
    async list(request, rights) {
      const found = await find(deps, request, rights)
      if (isRefusal(found)) return found
      const { columns, total, computers, nextAfter } = found
      const page = computers.slice(0, Number(request.limit ?? 100))
      const list: FoundComputer[] = []
      for await (const row of readRows(deps, page, columns)) list.push(toComputer(columns, row))
      const { where = '', explain } = request
      // Asked for, as it reads more than the query itself.
      if (total === 0 && explain) return { total, computers: [], ...(await deps.search.explain(where, rights)) }
      return { total, computers: list, ...(page.length < computers.length && { next: nextAfter(page.length) }) }
    },
    async csv(request, rights) {
      const found = await find(deps, request, rights)
      return isRefusal(found) ? found : csvLines(deps, found)
    },
    programs: (request, rights) => findPrograms(deps, request, rights),
    history: (client, request) => readHistory(deps, client, request),
    changes: (request, rights) => findChanges(deps, request, rights),
    summary: (where, rights) => summarize(deps, where, rights),
    systems: clients => readSystems(deps, clients),
    differences: (room, rights) => compareRoom(deps, room, rights),
  }
}

async function find(deps: FleetInventoryDeps, request: ColumnsRequest, rights: Rights): Promise<Found | Refusal> {
  const { where = '', sort, after = '0' } = request
  const columns = chooseColumns(request.columns)
  if (isRefusal(columns)) return columns
  const order = sort === undefined ? undefined : chooseOrder(sort)
  if (isRefusal(order)) return order
  const all = await deps.search.find(where, rights)
  if (isRefusal(all)) return all
  if (!order) {
    const from = all.findIndex(({ id }) => id > Number(after))
    const computers = from < 0 ? [] : all.slice(from)
    return { columns, total: all.length, computers, nextAfter: count => `${computers[count - 1]?.id}` }
  }
  const rows: Row[] = []
  for await (const row of readRows(deps, all, [order.column])) rows.push(row)
  const sorted = await slices.sort(rows, (one, other) => compareCells(one.cells[0], other.cells[0], order.isDescending))
  // What is sorted has no fixed place: the next page begins after so many.
  const computers = sorted.slice(Number(after))
  return { columns, total: all.length, computers, nextAfter: count => `${Number(after) + count}` }
}

async function* readRows(
  deps: FactDeps,
  computers: readonly { ip: string }[],
  columns: readonly ChosenColumn[],
): AsyncGenerator<Row> {
  await slices.pause()
  const fleet = await readFleet(deps, columns)
  for (let from = 0; from < computers.length; from += computersAtOnce) {
    await slices.pause()
    const ips = computers.slice(from, from + computersAtOnce).map(({ ip }) => ip)
    for (const facts of await readFacts(deps, ips, columns, fleet)) {
      const pause = slices.pause()
      if (pause) await pause
      yield { ip: facts.record.ip, cells: columns.map(column => column.value(facts)) }
    }
  }
}

function toComputer(columns: readonly ChosenColumn[], { ip, cells }: Row): FoundComputer {
  const known = columns.map(({ name }, at) => [name, cells[at]]).filter(([, cell]) => cell !== undefined)
  return { client: ip, ...Object.fromEntries(known) }
}

async function* csvLines(deps: FactDeps, { columns, computers }: Found): AsyncGenerator<string> {
  let lines = writeRecord(columns.map(({ name }) => name))
  let count = 0
  for await (const { cells } of readRows(deps, computers, columns)) {
    lines += writeRecord(cells.map(cellText))
    count += 1
    if (count % computersAtOnce !== 0) continue
    yield lines
    lines = ''
  }
  yield lines
}
