// The subcommands that show one response: agents, scopes, modes, modules, hosts, export and output.
import type { Command } from 'commander'
import type {
  AgentsAnswer,
  ClientsAnswer,
  HostsAnswer,
  ModesAnswer,
  ModuleAnswer,
  ModulesAnswer,
  ScopesAnswer,
  ShellOutputAnswer,
} from '../../contract/answers.ts'
import { inFile } from '../../log/log.ts'
import type { ApiClient } from '../api/client.ts'
import { type ClientOutput, readLastOutputs } from '../api/job-outputs.ts'
import { readComputers, resolveAddresses, type ScopeFlags } from '../api/scopes.ts'
import type { CliContext } from '../context.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { addRead, type Read } from './add-read.ts'
import { printOutputs } from './print-outputs.ts'
import { addScopeOptions } from './shared-options.ts'

export function addReads(program: Command, context: CliContext): void {
  const { connect, print, printJson, printUntrusted } = context
  const add = <Body>(name: string, description: string, read: string, format: Read<Body, object>['format']) =>
    addRead(program, context, { name, description, read, format })
  add('scopes', 'show centers and rooms with their number of computers', 'GET /scopes', formatScopes)
  add('agents', 'list the versions of the connected agents', 'GET /agents', formatAgents)
  add('modes', 'list boot modes', 'GET /mode', formatModes)
  add('modules', 'list command files and their errors', 'GET /modules', formatModules)
  add('hosts', 'list the hosts of the fleet', 'GET /hosts', formatHosts)
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

function formatScopes({ scope }: ScopesAnswer, width?: number): string {
  if (scope.length === 0) return 'no centers; fleet send center-add --name … adds one'
  const rows = scope.flatMap(center => [
    { id: center.id, name: center.name, computers: undefined },
    ...center.scope.map(room => ({ id: room.id, name: `└ ${room.name}`, computers: room.scope.length })),
  ])
  return formatTable(rows, [{ title: 'center / room', value: ({ name }) => name }, 'id', 'computers'], width)
}

const agentColumns: Column<AgentsAnswer['agents'][number]>[] = [
  'agent',
  { title: 'computers', value: ({ clients }) => clients.length },
  { title: 'addresses', value: ({ clients }) => clients.join(' ') },
]

function formatAgents({ current, agents }: AgentsAnswer, width?: number): string {
  const table = agents.length === 0 ? 'no agents that introduce themselves' : formatTable(agents, agentColumns, width)
  return `${table}\n${paint('gray', `this server has ${current}; fleet send agent-update updates the agents for Linux`)}`
}

const formatModes = ({ modes }: ModesAnswer) => modes.join('\n') || 'no modes'

/** Characters of a time without its seconds, which would make rows longer than 80 columns. */
const minuteLength = 'yyyy-mm-dd hh:mm'.length

const moduleColumns: Column<ModuleAnswer>[] = [
  'command',
  { title: 'route', value: ({ route }) => route ?? 'not in service' },
  'version',
  { title: 'loaded', value: ({ loaded_at }) => formatLocalTime(loaded_at).slice(0, minuteLength) },
  { title: 'from', value: ({ origin }) => origin },
]

function formatModules({ modules }: ModulesAnswer, width?: number): string {
  const errors = modules.flatMap(({ file, error }) => (error ? paint('red', onOneLine(inFile(file, error))) : []))
  return [formatTable(modules, moduleColumns, width), ...errors].join('\n')
}

const hostColumns: Column<HostsAnswer['hosts'][number]>[] = [
  { title: 'host', value: ({ name, leader }) => (leader ? `${name} *` : name) },
  { title: 'address', value: ({ url }) => url },
  'agents',
  { title: 'since', value: ({ since }) => formatLocalTime(since).slice(0, minuteLength) },
  'version',
]

/** `*`: the leader. Below the table, which commands differ from those of the host that was asked. */
function formatHosts({ hosts }: HostsAnswer, width?: number): string {
  const differences = hosts.flatMap(({ name, lacks = [], differs = [], adds = [] }) => [
    ...(lacks.length > 0 ? [`${name} lacks ${lacks.join(', ')}`] : []),
    ...(differs.length > 0 ? [`${name} has another version of ${differs.join(', ')}`] : []),
    ...(adds.length > 0 ? [`only ${name} has ${adds.join(', ')}`] : []),
  ])
  return [formatTable(hosts, hostColumns, width), ...differences.map(line => paint('red', onOneLine(line)))].join('\n')
}

/** Outputs of the daemon's memory; where it has none, those that are stored with jobs. */
async function readOutputs(api: ApiClient, flags: ScopeFlags): Promise<ClientOutput[]> {
  const selected = await resolveAddresses(api, flags)
  const clients = selected.length > 0 ? selected : await listConnected(api)
  if (clients.length === 0) return []
  const { body } = await api.call<ShellOutputAnswer>('POST /shell/output', { clients })
  const silent = body.clients.filter(({ output }) => output === '').map(({ addr }) => addr)
  const stored = silent.length === 0 ? [] : await readLastOutputs(api, silent)
  const storedOf = new Map(stored.map(output => [output.client, output]))
  return body.clients.map(({ addr, output }) => storedOf.get(addr) ?? { client: addr, output, state: 'read' })
}

async function listConnected({ call }: ApiClient): Promise<string[]> {
  const { body } = await call<ClientsAnswer>('GET /clients')
  return body.clients.map(({ addr }) => addr)
}
