// The subcommands that read: scopes, output, images, modes, modules and the export.
import type { Command } from 'commander'
import type { ScopeNode } from '../../../stores/store.ts'
import type { ImageFile, ModuleEntry } from '../../services.ts'
import type { ApiClient } from '../api/client.ts'
import { type Chosen, chooseAddresses, readSeats, type Seat } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { bytes, type Column, counted, localTime, table } from '../terminal/table.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'

interface ImageEntry extends ImageFile {
  id: number
  name: string
  /** Bytes. */
  datasize: number
  repo_id: number
}
interface Images {
  images: ImageEntry[]
  disk: { total: number; free: number }
}
interface Output {
  clients: { addr: string; output: string }[]
}

export function addReads(program: Command, session: CliContext): void {
  const { connect, print, printJson, pass } = session
  const read = <Body>(name: string, description: string, route: string, told: (body: Body) => string) =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async ({ json }: { json?: true }) => {
        const { body } = await connect().call<Body>(route)
        if (json) printJson(body)
        else print(told(body))
      })
  read<{ scope: ScopeNode[] }>(
    'scopes',
    'show centers, rooms and how many computers they have',
    'GET /scopes',
    treeTold,
  )
  read<Images>('images', 'list images and the disk that holds them', 'GET /images', imagesTold)
  read<{ modes: string[] }>('modes', 'list boot modes', 'GET /mode', ({ modes }) => modes.join('\n') || 'no modes')
  read<{ modules: ModuleEntry[] }>(
    'modules',
    'list command files, and what is wrong with them',
    'GET /modules',
    modulesTold,
  )
  program
    .command('export')
    .description('print all computers as CSV')
    .action(async () => pass((await connect().call<string>('GET /client/export')).body ?? ''))
  program
    .command('output')
    .description('show what the last script printed, of all that are connected or of those that are named')
    .option('--client <ip or name...>', 'computers')
    .option('--room <name or id...>', 'all computers of a room')
    .option('--center <name or id...>', 'all computers of a center; with --room: whose rooms these are')
    .option('--json', 'print JSON')
    .action(async ({ json, ...chosen }: Chosen & { json?: true }) => {
      const body = await readOutput(connect(), chosen)
      if (json) printJson(body)
      else await showOutput(session, body)
    })
}

interface TreeRow {
  id: number
  name: string
  computers: number | undefined
}

const treeColumns: Column<TreeRow>[] = [
  { title: 'center / room', of: ({ name }) => name },
  { title: 'id', of: ({ id }) => id, right: true },
  { title: 'computers', of: ({ computers }) => computers, right: true },
]

function treeTold({ scope }: { scope: ScopeNode[] }): string {
  if (scope.length === 0) return 'no centers; fleet send center-add --name … makes one'
  const rows = scope.flatMap(center => [
    { id: center.id, name: center.name, computers: undefined },
    ...center.scope.map(room => ({ id: room.id, name: `└ ${room.name}`, computers: room.scope.length })),
  ])
  return table(rows, treeColumns)
}

const imageColumns: Column<ImageEntry>[] = [
  { title: 'id', of: ({ id }) => id, right: true },
  { title: 'name', of: ({ name }) => name },
  { title: 'file', of: ({ size }) => bytes(size), right: true },
  { title: 'data', of: ({ datasize }) => bytes(datasize), right: true },
  { title: 'modified', of: ({ modified }) => modified },
  { title: 'repository', of: ({ repo_id }) => repo_id, right: true },
]

function imagesTold({ images, disk }: Images): string {
  const room = paint('gray', `disk: ${bytes(disk.free)} of ${bytes(disk.total)} free`)
  return `${images.length === 0 ? 'no images' : table(images, imageColumns)}\n${room}`
}

const moduleColumns: Column<ModuleEntry>[] = [
  { title: 'command', of: ({ command }) => command },
  { title: 'route', of: ({ route }) => route ?? 'not in service' },
  { title: 'version', of: ({ version }) => version, right: true },
  { title: 'loaded', of: ({ loaded_at }) => localTime(loaded_at) },
  { title: 'from', of: ({ origin }) => origin },
]

function modulesTold({ modules }: { modules: ModuleEntry[] }): string {
  const wrong = modules.filter(({ error }) => error)
  const lines = wrong.map(({ file, error }) => paint('red', onOneLine(`${file}: ${error}`)))
  return [table(modules, moduleColumns), ...lines].join('\n')
}

async function readOutput(caller: ApiClient, chosen: Chosen): Promise<Output> {
  const named = await chooseAddresses(caller, chosen)
  const clients = named.length > 0 ? named : await connected(caller)
  if (clients.length === 0) return { clients: [] }
  return (await caller.call<Output>('POST /shell/output', { clients })).body
}

async function connected({ call }: ApiClient): Promise<string[]> {
  const { body } = await call<{ clients: { addr: string }[] }>('GET /clients')
  return body.clients.map(({ addr }) => addr)
}

/** Many computers that print the same are told once. */
async function showOutput({ connect, print, pass }: CliContext, { clients }: Output): Promise<void> {
  const seats = await readSeats(connect())
  const alike = new Map<string, string[]>()
  for (const { addr, output } of clients) alike.set(output, [...(alike.get(output) ?? []), addr])
  const silent = alike.get('')
  alike.delete('')
  for (const [output, addresses] of alike) {
    print(paint('bold', `── ${onOneLine(headOf(addresses, seats))}`))
    pass(output.endsWith('\n') ? output : `${output}\n`)
  }
  if (silent) print(paint('gray', `${counted(silent.length, 'client')} printed nothing`))
}

function headOf([addr = '', ...more]: string[], seats: Map<string, Seat>): string {
  const nameOf = (one: string) => seats.get(one)?.name ?? one
  if (more.length === 0) return seats.has(addr) ? `${nameOf(addr)} ${addr}` : addr
  return `${counted(more.length + 1, 'client')}: ${[addr, ...more].map(nameOf).join(', ')}`
}
