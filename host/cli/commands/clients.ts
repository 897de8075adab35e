// `fleet clients`: who is connected, where it stands and what it does.
import type { Command } from 'commander'
import type { ClientEntry } from '../../services.ts'
import type { ApiClient } from '../api/client.ts'
import { type Chosen, chooseAddresses, readSeats, type Seat } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { watch } from '../terminal/live-view.ts'
import { type Column, counted, table } from '../terminal/table.ts'
import { paint, stateColours } from '../terminal/terminal.ts'

interface Flags extends Pick<Chosen, 'room' | 'center'> {
  state?: string[]
  all?: true
  watch?: true
  json?: true
}

/** A computer as `GET /clients` has it, or one that is not connected. */
type Entry = Partial<Pick<Seat, 'name' | 'room' | 'center'>> &
  Partial<ClientEntry> &
  Pick<ClientEntry, 'addr' | 'state'>

export function addClients(program: Command, session: CliContext): void {
  const { connect, print, printJson } = session
  program
    .command('clients')
    .description('list clients and their state')
    .option('--room <name or id...>', 'those of a room')
    .option('--center <name or id...>', 'those of a center; with --room: whose rooms these are')
    .option('--state <state...>', 'those in a state, e.g. BSY; off: those that are not connected')
    .option('--all', 'also computers that are not connected')
    .option('--watch', 'show it again every second')
    .option('--json', 'print JSON')
    .action(async ({ watch: again, json, ...flags }: Flags) => {
      const read = () => readClients(connect(), flags)
      if (again)
        await watch(session, async width => (json ? JSON.stringify(await read()) : listed(await read(), width)))
      else if (json) printJson(await read())
      else print(listed(await read()))
    })
}

async function readClients(caller: ApiClient, { room, center, state, all }: Flags): Promise<{ clients: Entry[] }> {
  const seats = await readSeats(caller)
  const { body } = await caller.call<{ clients: ClientEntry[] }>('GET /clients')
  const known: Entry[] = body.clients.map(client => ({ ...placeOf(seats.get(client.addr)), ...client }))
  if (all || state?.includes('off')) {
    const there = new Set(known.map(({ addr }) => addr))
    const off = [...seats.values()].filter(({ ip }) => !there.has(ip))
    known.push(...off.map(seat => ({ ...placeOf(seat), addr: seat.ip, state: 'off' })))
  }
  const chosen = room || center ? new Set(await chooseAddresses(caller, { room, center })) : undefined
  const wanted = ({ addr, state: shown }: Entry) => (chosen?.has(addr) ?? true) && (state?.includes(shown) ?? true)
  return { clients: known.filter(wanted).sort(byPlace) }
}

const placeOf = (seat: Seat | undefined) => seat && { name: seat.name, room: seat.room, center: seat.center }

const order = new Intl.Collator(undefined, { numeric: true })
const byPlace = (a: Entry, b: Entry) =>
  order.compare(a.center ?? '', b.center ?? '') ||
  order.compare(a.room ?? '', b.room ?? '') ||
  order.compare(a.addr, b.addr)

const columns: Column<Entry>[] = [
  { title: 'client', of: ({ addr }) => addr },
  { title: 'name', of: ({ name }) => name },
  { title: 'room', of: ({ room }) => room },
  { title: 'state', of: ({ state }) => state, colour: ({ state }) => stateColours[state] ?? 'green' },
  { title: 'Mbit/s', of: ({ speed }) => speed || '', right: true },
  {
    title: 'last command',
    of: ({ last_cmd }) => (last_cmd?.result === 'unknown' ? '' : last_cmd?.result),
    colour: ({ last_cmd }) => stateColours[last_cmd?.result ?? ''],
  },
]

function listed({ clients }: { clients: Entry[] }, width?: number): string {
  const states = new Map<string, number>()
  for (const { state } of clients) states.set(state, (states.get(state) ?? 0) + 1)
  const counts = [...states].sort().map(([state, count]) => `${count} ${state}`)
  const total = [counted(clients.length, 'client'), ...(counts.length > 0 ? [counts.join(', ')] : [])].join(': ')
  if (clients.length === 0) return 'no clients'
  const lines = [table(clients, columns, width), paint('gray', total)]
  // A screen may be too small for all of it.
  return (width === undefined ? lines : lines.reverse()).join('\n')
}
