// The subcommands that show one answer of the daemon: scopes, agents, modes, modules, hosts and images.
import type { AnswerOf, BinEntry, ImageAnswer, ModuleAnswer, VersionAnswer } from '../../contract/answers.ts'
import { inFile } from '../../log/log.ts'
import { formatBytes } from '../../log/shown-text.ts'
import { readRecords } from '../api/records.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable, timeColumn } from '../terminal/text-table.ts'
import { type Add, read } from './subcommand.ts'

const scopes = read({
  command: 'scopes',
  description: 'show centers and rooms with their number of computers',
  read: 'GET /scopes',
  format({ scope }, { width }) {
    const rows = scope.flatMap(center => [
      { id: center.id, name: center.name, computers: undefined },
      ...center.scope.map(room => ({ id: room.id, name: `└ ${room.name}`, computers: room.scope.length })),
    ])
    const none = 'no centers; fleet center add <name> adds one'
    return formatTable(rows, ['name as center / room', 'id', 'computers'], width, none)
  },
})

const agentColumns: Column<AnswerOf<'GET /agents'>['agents'][number]>[] = [
  'agent',
  { title: 'computers', value: ({ clients }) => clients.length },
  { title: 'addresses', value: ({ clients }) => clients.join(' ') },
]

const agents = read({
  command: 'agents',
  description: 'list the versions of the connected agents',
  read: 'GET /agents',
  format({ current, agents }, { width }) {
    const note = `this server has ${current}; fleet send agent-update updates the agents for Linux`
    return `${formatTable(agents, agentColumns, width, 'no agents that introduce themselves')}\n${paint('gray', note)}`
  },
})

const modes = read({
  command: 'modes',
  description: 'list boot modes',
  read: 'GET /mode',
  format: ({ modes }) => modes.join('\n') || 'no modes',
})

/** Characters of a time without its seconds, which would make rows longer than 80 columns. */
const minuteLength = 'yyyy-mm-dd hh:mm'.length

const moduleColumns: Column<ModuleAnswer>[] = [
  'command as module',
  'kind',
  { title: 'does', value: ({ state, route, does }) => (state === 'in service' ? (route ?? does) : state) },
  'pack',
  'contract',
  'version',
  { title: 'loaded', value: ({ loaded_at }) => formatLocalTime(loaded_at).slice(0, minuteLength) },
  'origin as from',
]

const modules = read({
  command: 'modules',
  description: 'list commands, hooks, views and packs, and their errors',
  read: 'GET /modules',
  format({ modules }, { width }) {
    const errors = modules.flatMap(({ file, error }) => (error ? inFile(file, error) : []))
    return withErrors(formatTable(modules, moduleColumns, width), errors)
  },
})

const hostColumns: Column<AnswerOf<'GET /hosts'>['hosts'][number]>[] = [
  { title: 'host', value: ({ name, leader }) => (leader ? `${name} *` : name) },
  'url as address',
  'agents',
  { title: 'since', value: ({ since }) => formatLocalTime(since).slice(0, minuteLength) },
  'version',
]

/** `*`: the leader. Below the table, which commands differ from those of the host that was asked. */
const hosts = read({
  command: 'hosts',
  description: 'list the hosts of the fleet',
  read: 'GET /hosts',
  format({ hosts }, { width }) {
    const differences = hosts.flatMap(({ name, lacks = [], differs = [], adds = [] }) => [
      ...(lacks.length > 0 ? [`${name} lacks ${lacks.join(', ')}`] : []),
      ...(differs.length > 0 ? [`${name} has another version of ${differs.join(', ')}`] : []),
      ...(adds.length > 0 ? [`only ${name} has ${adds.join(', ')}`] : []),
    ])
    return withErrors(formatTable(hosts, hostColumns, width), differences)
  },
})

const withErrors = (table: string, lines: string[]) =>
  [table, ...lines.map(line => paint('red', onOneLine(line)))].join('\n')

export const serverLists = [scopes, agents, modes, modules, hosts]

/** An image, or an older file of one. */
type FileRow = (ImageAnswer | VersionAnswer) & Partial<ImageAnswer> & { repository?: string | undefined }

const imageColumns: Column<FileRow>[] = [
  { title: 'image', value: ({ name, id }) => (id === undefined ? `  ${name}` : name) },
  'id',
  'repository',
  { title: 'size', value: ({ size }) => formatBytes(size), alignRight: true },
  { title: 'data', value: ({ datasize }) => (datasize === undefined ? '' : formatBytes(datasize)), alignRight: true },
  { title: 'modified', value: ({ modified }) => formatServerTime(modified), isKept: true },
  { title: 'check', value: ({ check }) => (check.percent === undefined ? check.state : `${check.percent} %`) },
]

/** `Sat Nov 28 17:39:25 2026` of the clock of the daemon as tables have times. */
const formatServerTime = (text: string) =>
  Number.isNaN(Date.parse(text)) ? text : formatLocalTime(new Date(text).toISOString())

export const listImages = (command: string): Add =>
  read({
    command,
    description: 'list images, their older files and the disk that holds them',
    read: 'GET /images?without_file=1',
    async format({ images, disk, without_file = [] }, { context, width }) {
      const names = new Map((await readRecords(context.connect(), 'repository')).map(({ id, name }) => [id, name]))
      const rows: FileRow[] = images.flatMap(({ versions, ...image }) => [
        { ...image, repository: names.get(image.repo_id) ?? String(image.repo_id) },
        ...versions,
      ])
      const space = paint('gray', `disk: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} free`)
      const absent = without_file.map(({ id, name }) => `${name} (id ${id})`).join(', ')
      const others = absent === '' ? '' : `\n${paint('yellow', `without a file here: ${absent}`)}`
      return `${formatTable(rows, imageColumns, width, 'no images')}\n${space}${others}`
    },
  })

const binColumns: Column<BinEntry>[] = [
  'id as entry',
  'name as image',
  { title: 'size', value: ({ size }) => formatBytes(size), alignRight: true },
  timeColumn('deleted'),
  timeColumn('expires', 'until'),
  'reason',
]

const imageBin = read({
  command: 'image-bin',
  description: 'list deleted images that can be brought back',
  read: 'GET /image/bin',
  format: ({ bin }, { width }) => formatTable(bin, binColumns, width, 'the bin is empty'),
})

const versionColumn = {
  title: 'version',
  value: ({ version }: { version: number }) => (version === 0 ? 'not known' : `${version}`),
  alignRight: true,
} as const

const imageStats = read({
  command: 'image-stats',
  description: 'show how many computers have which version of each image',
  options: { '--image <id>': 'show which computers have this image, and since when' },
  async read({ connect }, { image }) {
    return (await connect().call(`GET /image/stats?${new URLSearchParams(image === undefined ? {} : { image })}`)).body
  },
  format({ images, next }, { width }) {
    const counts = images.flatMap(({ name, versions }) => versions.map(version => ({ name, ...version })))
    const copies = images.flatMap(image => image.copies ?? [])
    const countColumns = [versionColumn, 'computers', timeColumn('first'), timeColumn('last')] as const
    const none = 'no computer has a partition of an image'
    const table = formatTable(counts, ['name as image', ...countColumns], width, none)
    if (copies.length === 0) return table
    const more = paint('gray', `more after ${next}: GET /image/stats?image=…&after=${next}`)
    const copyColumns = ['client', 'disk', 'partition', versionColumn, timeColumn('since')] as const
    return `${table}\n\n${formatTable(copies, copyColumns, width)}${next === undefined ? '' : `\n${more}`}`
  },
})

export const imageLists = [listImages('images'), imageBin, imageStats]
