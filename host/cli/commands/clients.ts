// `fleet clients` lists computers with room and state; `fleet pending` and `fleet adopt`: clients without a record.
import type { AnswerOf, ClientAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { type ComputerRef, pendingAddresses, readPending } from '../api/computer-names.ts'
import { type JobPart, readRunning } from '../api/job-reader.ts'
import { findId, readAllComputers, resolveAddresses } from '../api/records.ts'
import { searchComputers } from '../api/search-computers.ts'
import { usageError } from '../cli-error.ts'
import {
  colourOfState,
  countStates,
  describeState,
  isInState,
  isStateName,
  stateNames,
} from '../terminal/computer-states.ts'
import { onOneLine, paint, stateColours } from '../terminal/terminal.ts'
import { type Column, compareNames, countColumn, formatTable, plural, timeColumn } from '../terminal/text-table.ts'
import { type Add, read, subcommand } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'

/** An entry of `GET /clients`, or a computer that is not connected. */
type Row = Partial<Pick<ComputerRef, 'name' | 'room' | 'center'>> &
  Partial<Omit<ClientAnswer, 'state'>> & { addr: string; state: ClientAnswer['state'] | 'off' } & Remarks

/** What its state alone does not say. */
interface Remarks {
  never_connected?: true
  maintenance?: true
}

interface Selection {
  clients: Row[]
  /** False when the daemon cannot list its computers. */
  isComplete: boolean
  /** Connected clients without one. */
  unrecorded: number
}

/** `toRows`: what --json lists in place of the rows. */
export const listComputers = (
  command: 'clients' | 'list',
  toRows: (api: ApiClient, rows: Row[]) => unknown = (_, rows) => rows,
): Add =>
  read({
    command: `${command} [computer...]` as const,
    argument: 'only these, by name or address, as with --client',
    description: 'list computers and their state',
    options: {
      ...scopeOptions,
      '--state <state...>': `computers in a state: ${stateNames.join(', ')}, or as the API names it`,
      '--connected': 'only clients that are connected or being woken',
      '--all': 'also computers that are not connected; the default',
    },
    canWatch: true,
    async read({ connect }, { state, connected, all: _all, client = [], ...flags }, words): Promise<Selection> {
      const unknown = state?.find(name => !isStateName(name))
      if (unknown !== undefined) throw usageError(`--state: expected one of ${stateNames.join(', ')}, got ${unknown}`)
      const all = await readAllComputers(connect())
      const unlisted = new Map(all)
      const { body } = await connect().call('GET /clients')
      for (const { addr } of body.clients) unlisted.delete(addr)
      const rows: Row[] = [
        ...body.clients.map(client => ({ ...locationOf(all?.get(client.addr)), ...client })),
        ...[...unlisted.values()].map((computer): Row => {
          return { ...locationOf(computer), addr: computer.ip, state: 'off' }
        }),
      ]
      const addresses = await resolveAddresses(connect(), { ...flags, client: [...words, ...client] })
      // Without options they are all.
      const isAll = addresses.length === 0
      const chosen = new Set(addresses)
      const remarks = await readRemarks(connect())
      const selected = rows.flatMap(row => (isAll || chosen.has(row.addr) ? { ...row, ...remarks.get(row.addr) } : []))
      const isShown = (row: Row) =>
        state ? state.some(name => isInState(row, name)) : !(connected && row.state === 'off')
      const unrecorded = isAll ? (await readPending(connect())).length : 0
      return { clients: selected.filter(isShown).sort(byLocation), isComplete: all !== undefined, unrecorded }
    },
    async format(selection, { context, width, isLive }) {
      const isBusy = selection.clients.some(({ state }) => state === 'BSY')
      const running = isBusy ? await readRunning(context.connect()) : new Map<string, JobPart>()
      const table = formatTable(selection.clients, columnsOf(running), width, 'no clients')
      const total = formatTotal(selection)
      // A screen may be too small for all rows: there the total comes first; a pipe gets it last.
      return isLive && width !== undefined ? `${total}\n${table}` : `${table}\n${total}`
    },
    toJson: async ({ clients }, { connect }) => ({ clients: await toRows(connect(), clients) }),
  })

/** Of the few that have one, by address. */
async function readRemarks({ call }: ApiClient): Promise<Map<string, Remarks>> {
  // One that was never connected is found as one that was before any agent existed.
  const { computers } = await searchComputers(call, 'seen>9999d or maintenance:yes', {
    columns: 'client,seen,maintenance',
  })
  return new Map(
    computers.map(({ client, seen, maintenance }) => [
      client,
      { ...(!seen && { never_connected: true as const }), ...(maintenance && { maintenance: true as const }) },
    ]),
  )
}

const stateWords = (row: Row, running: JobPart | undefined) =>
  [
    describeState(row, running && `${running.command} (job ${running.job})`),
    row.never_connected && row.state === 'off' && 'never connected',
    row.maintenance && 'maintenance',
  ]
    .filter(Boolean)
    .join(', ')

const locationOf = (computer: ComputerRef | undefined) =>
  computer && { name: computer.name, room: computer.room, center: computer.center }

const byLocation = (a: Row, b: Row) =>
  compareNames(a.center ?? '', b.center ?? '') ||
  compareNames(a.room ?? '', b.room ?? '') ||
  compareNames(a.name ?? '', b.name ?? '') ||
  compareNames(a.addr, b.addr)

/** `running`: what busy clients run. */
const columnsOf = (running: ReadonlyMap<string, JobPart>): Column<Row>[] => [
  'addr as client',
  'name',
  'room',
  { title: 'state', value: row => stateWords(row, running.get(row.addr)), colour: colourOfState },
  countColumn('Mbit/s', ({ speed }) => speed),
  {
    title: 'last command',
    value: ({ last_cmd }) => (last_cmd?.result === 'unknown' ? '' : last_cmd?.result),
    colour: ({ last_cmd }) => stateColours[last_cmd?.result ?? ''],
  },
]

/** `3 on, 1 busy, 22 off`. */
function formatTotal({ clients, isComplete, unrecorded }: Selection): string {
  const hint = isComplete ? '' : '; limits.response is too small for the list of computers that are off'
  const pending = unrecorded > 0 ? `; ${unrecorded} without a record: fleet pending` : ''
  return paint('gray', `${countStates(clients) || 'none'}${hint}${pending}`)
}

const pending = read({
  command: 'pending',
  description: 'list connected clients without a record, and those whose connections are refused',
  read: 'GET /pending',
  format: (answer, { width }) => [formatPending(answer, width), ...formatRefused(answer, width)].join('\n'),
})

type PendingAnswer = AnswerOf<'GET /pending'>

function formatPending({ pending, omitted = 0, install_url: url }: PendingAnswer, width: number | undefined): string {
  if (pending.length === 0) return `no clients without a record\n${paint('gray', installHint(url))}`
  const table = formatTable(pending, ['client', 'name', 'mac', 'os', 'serial', 'agent', timeColumn('since')], width)
  const more = omitted > 0 ? `${omitted} more; ` : ''
  const advices = pending.flatMap(({ client, advice }) =>
    advice === undefined ? [] : `${client}: ${onOneLine(advice)}`,
  )
  return [table, paint('gray', `${more}fleet adopt <client> --room … makes records of them`), ...advices].join('\n')
}

function formatRefused({ refused = [], refused_connections: count = 0 }: PendingAnswer, width: number | undefined) {
  if (refused.length === 0) return []
  const columns = ['client as refused', 'count', timeColumn('last'), 'reason'] as const
  const note = paint(
    'gray',
    `${plural(count, 'connection')} refused since the start; fleet doctor <client> says what to do`,
  )
  return ['', formatTable(refused, columns, width), note]
}

const installHint = (url: string | undefined) =>
  url === undefined
    ? 'other computers cannot download the agent yet: write "rest": { "ip": "0.0.0.0" } into the options file ' +
      'and restart the daemon (docs/options.md)'
    : [
        `on a computer with Linux and Node 20: curl -fsS ${url} | sudo sh`,
        `on one with Windows, in PowerShell of an administrator: irm ${new URL('install.ps1', url).href} | iex`,
      ].join('\n')

const adopt = subcommand({
  command: 'adopt <client...>',
  argument: 'their addresses, or the names that fleet pending shows',
  description: 'give connected clients without a record one: all, or none',
  options: {
    '--room <name or id>': { text: 'their room', required: true },
    '--name <name>': 'host name, in place of that of the agent; for one client',
    '--mac <mac>': 'hardware address, in place of that of the agent; for one client',
  },
  async run({ connect, print }, { room: text, name, mac }, words) {
    const clients = await pendingAddresses(connect(), words)
    const [client = ''] = clients
    const option = name === undefined ? '--mac' : '--name'
    if (clients.length > 1 && (name ?? mac) !== undefined)
      throw usageError(`${option}: expected one client, got ${clients.length}`)
    const room = await findId(connect(), 'room', '--room', text)
    const names = name === undefined ? undefined : { [client]: name }
    const macs = mac === undefined ? undefined : { [client]: mac }
    await connect().call('POST /client/adopt', { clients, room, names, macs })
    const what = clients.length === 1 ? `${client} is now a computer` : `${clients.length} clients are now computers`
    print(`${what} of room ${text}`)
  },
})

export const computerCommands = [listComputers('clients'), pending, adopt]
