// `fleet clients`: lists computers with their room and state.
import { type Command, Option } from 'commander'
import type { ClientAnswer, ClientsAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { type ComputerRef, readAllComputers, resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { paint, stateColours } from '../terminal/terminal.ts'
import { type Column, formatTable } from '../terminal/text-table.ts'
import { addRead } from './add-read.ts'

interface Flags extends Pick<ScopeFlags, 'room' | 'center'> {
  state?: string[]
  connected?: true
}

/** An entry of `GET /clients`, or a computer that is not connected. */
type Row = Partial<Pick<ComputerRef, 'name' | 'room' | 'center'>> &
  Partial<Omit<ClientAnswer, 'state'>> & { addr: string; state: ClientAnswer['state'] | 'off' }

interface Selection {
  clients: Row[]
  /** Of the selected rooms, in any state. */
  connected: number
  /** Undefined when the daemon cannot list its computers. */
  computers: number | undefined
}

export function addClients(program: Command, context: CliContext): void {
  addRead(program, context, {
    name: 'clients',
    description: 'list computers and their state',
    options: [
      new Option('--room <name or id...>', 'computers of a room'),
      new Option('--center <name or id...>', 'computers of a center; with --room: only its rooms are searched'),
      new Option('--state <state...>', 'computers in a state, e.g. BSY; off: not connected'),
      new Option('--connected', 'only clients that are connected or being woken'),
      new Option('--all', 'also computers that are not connected; the default'),
    ],
    canWatch: true,
    read: (flags: Flags) => readClients(context.connect(), flags),
    format(selection, width, isLive) {
      const [table, total] = [formatRows(selection, width), formatTotal(selection)]
      // A screen may be too small for all rows: there the total comes first; a pipe gets it last.
      return isLive && width !== undefined ? `${total}\n${table}` : `${table}\n${total}`
    },
    toJson: ({ clients }) => ({ clients }),
  })
}

async function readClients(api: ApiClient, { room, center, state, connected }: Flags): Promise<Selection> {
  const all = await readAllComputers(api)
  const computers = all ?? new Map<string, ComputerRef>()
  const { body } = await api.call<ClientsAnswer>('GET /clients')
  const listed = new Set(body.clients.map(({ addr }) => addr))
  const others = [...computers.values()].filter(({ ip }) => !listed.has(ip))
  const rows: Row[] = [
    ...body.clients.map(client => ({ ...locationOf(computers.get(client.addr)), ...client })),
    ...others.map((computer): Row => ({ ...locationOf(computer), addr: computer.ip, state: 'off' })),
  ]
  const addresses = room || center ? new Set(await resolveAddresses(api, { room, center })) : undefined
  const selected = rows.filter(({ addr }) => addresses?.has(addr) ?? true)
  const shown = selected.filter(row => state?.includes(row.state) ?? !(connected && row.state === 'off'))
  return {
    clients: shown.sort(byLocation),
    connected: selected.filter(isConnected).length,
    computers: all && selected.length,
  }
}

/** Entries of computers that are being woken have no status. */
const isConnected = ({ status }: Row) => status !== undefined

const locationOf = (computer: ComputerRef | undefined) =>
  computer && { name: computer.name, room: computer.room, center: computer.center }

const collator = new Intl.Collator(undefined, { numeric: true })
const byLocation = (a: Row, b: Row) =>
  collator.compare(a.center ?? '', b.center ?? '') ||
  collator.compare(a.room ?? '', b.room ?? '') ||
  collator.compare(a.addr, b.addr)

const columns: Column<Row>[] = [
  { title: 'client', value: ({ addr }) => addr },
  'name',
  'room',
  { title: 'state', value: ({ state }) => state, colour: ({ state }) => stateColours[state] ?? 'green' },
  { title: 'Mbit/s', value: ({ speed }) => speed || '' },
  {
    title: 'last command',
    value: ({ last_cmd }) => (last_cmd?.result === 'unknown' ? '' : last_cmd?.result),
    colour: ({ last_cmd }) => stateColours[last_cmd?.result ?? ''],
  },
]

const formatRows = ({ clients }: Selection, width?: number) =>
  clients.length === 0 ? 'no clients' : formatTable(clients, columns, width)

/** `3 of 26 connected: 2 OPG, 1 BSY, 23 off`. */
function formatTotal({ clients, connected, computers }: Selection): string {
  const states = new Map<string, number>()
  for (const { state } of clients) states.set(state, (states.get(state) ?? 0) + 1)
  const counts = [...states].sort().map(([state, count]) => `${count} ${state}`)
  const total = computers === undefined ? `${connected} connected` : `${connected} of ${computers} connected`
  const hint = computers === undefined ? '; limits.response is too small for the list of computers that are off' : ''
  return paint('gray', `${[total, counts.join(', ')].filter(Boolean).join(': ')}${hint}`)
}
