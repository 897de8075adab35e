// `fleet clients`: lists clients with their room and state.
import type { Command } from 'commander'
import type { ClientEntry } from '../../services.ts'
import type { ApiClient } from '../api/client.ts'
import { type ComputerRef, readComputers, resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { watch } from '../terminal/live-view.ts'
import { paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatTable, plural } from '../terminal/text-table.ts'

interface Flags extends Pick<ScopeFlags, 'room' | 'center'> {
  state?: string[]
  all?: true
  watch?: true
  json?: true
}

/** An entry of `GET /clients`, or a computer that is not connected. */
type Row = Partial<Pick<ComputerRef, 'name' | 'room' | 'center'>> &
  Partial<ClientEntry> &
  Pick<ClientEntry, 'addr' | 'state'>

interface ClientList {
  clients: Row[]
}

export function addClients(program: Command, context: CliContext): void {
  const { connect, print, printJson } = context
  program
    .command('clients')
    .description('list clients and their state')
    .option('--room <name or id...>', 'clients of a room')
    .option('--center <name or id...>', 'clients of a center; with --room: only its rooms are searched')
    .option('--state <state...>', 'clients in a state, e.g. BSY; off: computers that are not connected')
    .option('--all', 'also computers that are not connected')
    .option('--watch', 'update the list every second')
    .option('--json', 'print JSON')
    .action(async ({ watch: live, json, ...flags }: Flags) => {
      const read = () => readClients(connect(), flags)
      if (live) await watch(context, async width => (json ? JSON.stringify(await read()) : format(await read(), width)))
      else if (json) printJson(await read())
      else print(format(await read()))
    })
}

async function readClients(api: ApiClient, { room, center, state, all }: Flags): Promise<ClientList> {
  const computers = await readComputers(api)
  const { body } = await api.call<{ clients: ClientEntry[] }>('GET /clients')
  const rows: Row[] = body.clients.map(client => ({ ...locationOf(computers.get(client.addr)), ...client }))
  if (all || state?.includes('off')) {
    const connected = new Set(rows.map(({ addr }) => addr))
    const disconnected = [...computers.values()].filter(({ ip }) => !connected.has(ip))
    rows.push(...disconnected.map(computer => ({ ...locationOf(computer), addr: computer.ip, state: 'off' })))
  }
  const addresses = room || center ? new Set(await resolveAddresses(api, { room, center })) : undefined
  const matches = (row: Row) => (addresses?.has(row.addr) ?? true) && (state?.includes(row.state) ?? true)
  return { clients: rows.filter(matches).sort(byLocation) }
}

const locationOf = (computer: ComputerRef | undefined) =>
  computer && { name: computer.name, room: computer.room, center: computer.center }

const collator = new Intl.Collator(undefined, { numeric: true })
const byLocation = (a: Row, b: Row) =>
  collator.compare(a.center ?? '', b.center ?? '') ||
  collator.compare(a.room ?? '', b.room ?? '') ||
  collator.compare(a.addr, b.addr)

const columns: Column<Row>[] = [
  { title: 'client', value: ({ addr }) => addr },
  { title: 'name', value: ({ name }) => name },
  { title: 'room', value: ({ room }) => room },
  { title: 'state', value: ({ state }) => state, colour: ({ state }) => stateColours[state] ?? 'green' },
  { title: 'Mbit/s', value: ({ speed }) => speed || '', alignRight: true },
  {
    title: 'last command',
    value: ({ last_cmd }) => (last_cmd?.result === 'unknown' ? '' : last_cmd?.result),
    colour: ({ last_cmd }) => stateColours[last_cmd?.result ?? ''],
  },
]

function format({ clients }: ClientList, width?: number): string {
  if (clients.length === 0) return 'no clients'
  const states = new Map<string, number>()
  for (const { state } of clients) states.set(state, (states.get(state) ?? 0) + 1)
  const counts = [...states].sort().map(([state, count]) => `${count} ${state}`)
  const total = paint('gray', `${plural(clients.length, 'client')}: ${counts.join(', ')}`)
  const rows = formatTable(clients, columns, width)
  // A screen may be too small for all rows: there the total comes first.
  return width === undefined ? `${rows}\n${total}` : `${total}\n${rows}`
}
