// The subcommands that show one response: agents, scopes, images, modes, modules, export and output.
import type { Command } from 'commander'
import type { ScopeNode } from '../../../stores/store.ts'
import type { ImageFile, ModuleEntry } from '../../services.ts'
import { inFile } from '../../system/log.ts'
import type { ApiClient } from '../api/client.ts'
import { type ClientOutput, readLastOutputs } from '../api/job-outputs.ts'
import { readComputers, resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { type Column, formatBytes, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { printOutputs } from './print-outputs.ts'
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
/** `width` is that of the terminal; undefined for a pipe. */
type FormatBody<Body> = (body: Body, width: number | undefined) => string

interface OutputList {
  clients: { addr: string; output: string }[]
}

export function addRead(program: Command, context: CliContext): void {
  const { connect, print, printJson, printUntrusted, width } = context
  const add = <Body>(name: string, description: string, route: string, format: FormatBody<Body>) =>
    program
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async ({ json }: { json?: true }) => {
        const { body } = await connect().call<Body>(route)
        if (json) printJson(body)
        else print(format(body, width()))
      })
  add('scopes', 'show centers and rooms with their number of computers', 'GET /scopes', formatScopes)
  add('images', 'list images and the disk that holds them', 'GET /images', formatImages)
  add('agents', 'list the versions of the connected agents', 'GET /agents', formatAgents)
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
      if (json) printJson({ clients: outputs.map(({ client, output }) => ({ addr: client, output })) })
      else if (outputs.length === 0) print('no clients')
      else printOutputs(context, outputs, await readComputers(connect()))
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

function formatScopes({ scope }: { scope: ScopeNode[] }, width?: number): string {
  if (scope.length === 0) return 'no centers; fleet send center-add --name … adds one'
  const rows = scope.flatMap(center => [
    { id: center.id, name: center.name, computers: undefined },
    ...center.scope.map(room => ({ id: room.id, name: `└ ${room.name}`, computers: room.scope.length })),
  ])
  return formatTable(rows, scopeColumns, width)
}

const imageColumns: Column<ImageEntry>[] = [
  { title: 'id', value: ({ id }) => id, alignRight: true },
  { title: 'name', value: ({ name }) => name },
  { title: 'file', value: ({ size }) => formatBytes(size), alignRight: true },
  { title: 'data', value: ({ datasize }) => formatBytes(datasize), alignRight: true },
  { title: 'modified', value: ({ modified }) => modified },
  { title: 'repository', value: ({ repo_id }) => repo_id, alignRight: true },
]

function formatImages({ images, disk }: ImageList, width?: number): string {
  const space = paint('gray', `disk: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} free`)
  return `${images.length === 0 ? 'no images' : formatTable(images, imageColumns, width)}\n${space}`
}

interface AgentList {
  /** The agent for Linux of the server. */
  current: string
  agents: AgentRow[]
}
interface AgentRow {
  agent: string
  clients: string[]
}

const agentColumns: Column<AgentRow>[] = [
  { title: 'agent', value: ({ agent }) => agent },
  { title: 'computers', value: ({ clients }) => clients.length, alignRight: true },
  { title: 'addresses', value: ({ clients }) => clients.join(' ') },
]

function formatAgents({ current, agents }: AgentList, width?: number): string {
  const table = agents.length === 0 ? 'no agents that introduce themselves' : formatTable(agents, agentColumns, width)
  return `${table}\n${paint('gray', `this server has ${current}; fleet send agent-update updates the agents for Linux`)}`
}

const formatModes = ({ modes }: { modes: string[] }) => modes.join('\n') || 'no modes'

/** Characters of a time without its seconds, which would make rows longer than 80 columns. */
const minuteLength = 'yyyy-mm-dd hh:mm'.length

const moduleColumns: Column<ModuleEntry>[] = [
  { title: 'command', value: ({ command }) => command },
  { title: 'route', value: ({ route }) => route ?? 'not in service' },
  { title: 'version', value: ({ version }) => version, alignRight: true },
  { title: 'loaded', value: ({ loaded_at }) => formatLocalTime(loaded_at).slice(0, minuteLength) },
  { title: 'from', value: ({ origin }) => origin },
]

function formatModules({ modules }: { modules: ModuleEntry[] }, width?: number): string {
  const errors = modules.flatMap(({ file, error }) => (error ? paint('red', onOneLine(inFile(file, error))) : []))
  return [formatTable(modules, moduleColumns, width), ...errors].join('\n')
}

/** Outputs of the daemon's memory; where it has none, those that are stored with jobs. */
async function readOutputs(api: ApiClient, flags: ScopeFlags): Promise<ClientOutput[]> {
  const selected = await resolveAddresses(api, flags)
  const clients = selected.length > 0 ? selected : await listConnected(api)
  if (clients.length === 0) return []
  const { body } = await api.call<OutputList>('POST /shell/output', { clients })
  const silent = body.clients.filter(({ output }) => output === '').map(({ addr }) => addr)
  const stored = silent.length === 0 ? [] : await readLastOutputs(api, silent)
  const storedOf = new Map(stored.map(output => [output.client, output]))
  return body.clients.map(({ addr, output }) => storedOf.get(addr) ?? { client: addr, output, state: 'read' })
}

async function listConnected({ call }: ApiClient): Promise<string[]> {
  const { body } = await call<{ clients: { addr: string }[] }>('GET /clients')
  return body.clients.map(({ addr }) => addr)
}
