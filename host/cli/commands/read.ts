// The subcommands that show one response: scopes, images, modes, modules, export and output.
import type { Command } from 'commander'
import type { ScopeNode } from '../../../stores/store.ts'
import type { ImageFile, ModuleEntry } from '../../services.ts'
import type { ApiClient } from '../api/client.ts'
import { type ComputerRef, readComputers, resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { type Column, formatBytes, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { addScopeOptions } from './shared-options.ts'

interface ImageEntry extends ImageFile {
  id: number
  name: string
  /** Bytes. */
  datasize: number
  repo_id: number
}
interface ImageList {
  images: ImageEntry[]
  disk: { total: number; free: number }
}
interface OutputList {
  clients: { addr: string; output: string }[]
}

export function addRead(program: Command, context: CliContext): void {
  const { connect, print, printJson, printUntrusted } = context
  const add = <Body>(name: string, description: string, route: string, format: (body: Body) => string) =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async ({ json }: { json?: true }) => {
        const { body } = await connect().call<Body>(route)
        if (json) printJson(body)
        else print(format(body))
      })
  add('scopes', 'show centers and rooms with their number of computers', 'GET /scopes', formatScopes)
  add('images', 'list images and the disk that holds them', 'GET /images', formatImages)
  add('modes', 'list boot modes', 'GET /mode', formatModes)
  add('modules', 'list command files and their errors', 'GET /modules', formatModules)
  program
    .command('export')
    .description('print all computers as CSV')
    .action(async () => printUntrusted((await connect().call<string>('GET /client/export')).body ?? ''))
  addScopeOptions(program.command('output'))
    .description('show the output of the last script: of the selected computers, or of all connected ones')
    .option('--json', 'print JSON')
    .action(async ({ json, ...flags }: ScopeFlags & { json?: true }) => {
      const outputs = await readOutputs(connect(), flags)
      if (json) printJson(outputs)
      else await printOutputs(context, outputs)
    })
}

interface ScopeRow {
  id: number
  name: string
  computers: number | undefined
}

const scopeColumns: Column<ScopeRow>[] = [
  { title: 'center / room', value: ({ name }) => name },
  { title: 'id', value: ({ id }) => id, alignRight: true },
  { title: 'computers', value: ({ computers }) => computers, alignRight: true },
]

function formatScopes({ scope }: { scope: ScopeNode[] }): string {
  if (scope.length === 0) return 'no centers; fleet send center-add --name … adds one'
  const rows = scope.flatMap(center => [
    { id: center.id, name: center.name, computers: undefined },
    ...center.scope.map(room => ({ id: room.id, name: `└ ${room.name}`, computers: room.scope.length })),
  ])
  return formatTable(rows, scopeColumns)
}

const imageColumns: Column<ImageEntry>[] = [
  { title: 'id', value: ({ id }) => id, alignRight: true },
  { title: 'name', value: ({ name }) => name },
  { title: 'file', value: ({ size }) => formatBytes(size), alignRight: true },
  { title: 'data', value: ({ datasize }) => formatBytes(datasize), alignRight: true },
  { title: 'modified', value: ({ modified }) => modified },
  { title: 'repository', value: ({ repo_id }) => repo_id, alignRight: true },
]

function formatImages({ images, disk }: ImageList): string {
  const space = paint('gray', `disk: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} free`)
  return `${images.length === 0 ? 'no images' : formatTable(images, imageColumns)}\n${space}`
}

const formatModes = ({ modes }: { modes: string[] }) => modes.join('\n') || 'no modes'

const moduleColumns: Column<ModuleEntry>[] = [
  { title: 'command', value: ({ command }) => command },
  { title: 'route', value: ({ route }) => route ?? 'not in service' },
  { title: 'version', value: ({ version }) => version, alignRight: true },
  { title: 'loaded', value: ({ loaded_at }) => formatLocalTime(loaded_at) },
  { title: 'from', value: ({ origin }) => origin },
]

function formatModules({ modules }: { modules: ModuleEntry[] }): string {
  const failed = modules.filter(({ error }) => error)
  const errors = failed.map(({ file, error }) => paint('red', onOneLine(`${file}: ${error}`)))
  return [formatTable(modules, moduleColumns), ...errors].join('\n')
}

async function readOutputs(api: ApiClient, flags: ScopeFlags): Promise<OutputList> {
  const selected = await resolveAddresses(api, flags)
  const clients = selected.length > 0 ? selected : await listConnected(api)
  if (clients.length === 0) return { clients: [] }
  return (await api.call<OutputList>('POST /shell/output', { clients })).body
}

async function listConnected({ call }: ApiClient): Promise<string[]> {
  const { body } = await call<{ clients: { addr: string }[] }>('GET /clients')
  return body.clients.map(({ addr }) => addr)
}

/** Prints equal outputs of several computers once. */
async function printOutputs({ connect, print, printUntrusted }: CliContext, { clients }: OutputList): Promise<void> {
  const computers = await readComputers(connect())
  const addressesByOutput = new Map<string, string[]>()
  for (const { addr, output } of clients)
    addressesByOutput.set(output, [...(addressesByOutput.get(output) ?? []), addr])
  const withoutOutput = addressesByOutput.get('')
  addressesByOutput.delete('')
  for (const [output, addresses] of addressesByOutput) {
    print(paint('bold', `── ${onOneLine(formatHeading(addresses, computers))}`))
    printUntrusted(output.endsWith('\n') ? output : `${output}\n`)
  }
  if (withoutOutput) print(paint('gray', `${plural(withoutOutput.length, 'client')} printed nothing`))
}

function formatHeading(addresses: string[], computers: Map<string, ComputerRef>): string {
  const names = addresses.map(address => computers.get(address)?.name ?? address)
  const [address = ''] = addresses
  if (addresses.length === 1) return computers.has(address) ? `${names[0]} ${address}` : address
  return `${plural(addresses.length, 'client')}: ${names.join(', ')}`
}
