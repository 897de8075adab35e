// `fleet group`: lists, shows, adds, changes and deletes groups of computers; `fleet tag` changes tags of computers.
import type { GroupAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { findId, resolveAddresses } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { type Column, formatTable, plural } from '../terminal/text-table.ts'
import { deletion, describeRecord } from './confirm.ts'
import { listFound, listOptions } from './search-fleet.ts'
import { type FlagsOf, read, subcommand } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'

const columns: Column<GroupAnswer>[] = [
  ...(['id', 'name', 'computers'] as const),
  { title: 'has', value: ({ where, clients }) => where ?? (clients && `a list of ${clients.length}`) },
]

const list = read({
  command: 'list',
  description: 'list groups with the number of computers that they have now',
  read: 'GET /groups',
  format({ groups }, { width }) {
    const problems = groups.flatMap(({ name, problem }) => (problem === undefined ? [] : `${name}: ${problem}`))
    const lines = problems.map(line => paint('red', onOneLine(line)))
    return [formatTable(groups, columns, width, 'no groups'), ...lines].join('\n')
  },
})

const show = subcommand({
  command: 'show <name or id>',
  description: 'list the computers that a group has now',
  options: listOptions,
  async run(context, flags, text) {
    await listFound(context, `group:${await findId(context.connect(), 'group', 'group', text)}`, flags)
  },
})

const contentOptions = {
  '--where <query>': 'the computers that it finds at any time; see fleet search',
  '--client <ip or name...>': 'a list, also with commas between',
} as const

type Content = FlagsOf<typeof contentOptions>

/** The keys `where` and `clients` of a payload, of which one at most may be there. */
async function contentOf(api: ApiClient, { where, client: words }: Content) {
  if (where !== undefined && words) throw usageError('expected either --where or --client, got both')
  const client = words?.flatMap(text => text.split(',')).filter(text => text !== '')
  return { where, clients: client && (await resolveAddresses(api, { client })) }
}

const add = subcommand({
  command: 'add <name>',
  description: 'add a group: of a query, or of a list of computers',
  options: contentOptions,
  async run({ connect, print }, flags, name) {
    if (flags.where === undefined && !flags.client)
      throw usageError('group add: expected --where or --client, got none of them')
    const { added } = await connect().call('POST /group/add', { name, ...(await contentOf(connect(), flags)) })
    print(`group ${name} is added with the id ${added}`)
  },
})

const edit = subcommand({
  command: 'edit <name or id>',
  alias: 'update',
  description: 'change a group: a query replaces a list, and a list a query',
  options: { ...contentOptions, '--name <name>': 'its new name' },
  async run({ connect, print }, { name, ...flags }, text) {
    const id = await findId(connect(), 'group', 'group', text)
    const content = await contentOf(connect(), flags)
    await connect().call('POST /group/update', { group: id, name, ...content })
    print(`group ${text} is changed`)
  },
})

export const group = subcommand({
  command: 'group',
  description: 'list, show, add, change and delete groups of computers',
  children: [list, show, add, edit, deletion('group', { describe: describeRecord, key: 'group' })],
})

/** One room or center: a list would take the tags that follow. */
const tagOptions = {
  '--room <name or id>': scopeOptions['--room <name or id...>'],
  '--center <name or id>': 'all computers of a center',
  '--where <query>': scopeOptions['--where <query>'],
  '--group <name or id>': scopeOptions['--group <name or id>'],
} as const

export const tag = subcommand({
  command: 'tag <computer...>',
  argument: '+tag adds a tag, -tag removes it; all others are computers, by name or address',
  description: 'add and remove tags of computers: of all of them, or of none',
  usage: '[options] <computer...> +tag -tag',
  options: tagOptions,
  takesDashes: true,
  help: `
  fleet tag lab-r01-c01 lab-r01-c02 +cad -exam
  fleet tag --room "Lab 1" +exam
  fleet tag --where os:windows +exam`,
  async run({ connect, print }, { room, center, ...query }, words) {
    const unknown = words.find(word => word.startsWith('--'))
    if (unknown !== undefined) throw usageError(`tag: unknown option '${unknown}'`)
    const tagsAfter = (sign: string) => words.flatMap(word => (word.startsWith(sign) ? word.slice(1) : []))
    const [add, remove] = [tagsAfter('+'), tagsAfter('-')]
    if (add.length + remove.length === 0) throw usageError('tag: expected +tag or -tag, got none of them')
    const client = words.filter(word => !/^[+-]/.test(word))
    const places = { ...(room !== undefined && { room: [room] }), ...(center !== undefined && { center: [center] }) }
    const clients = await resolveAddresses(connect(), { client, ...places, ...query })
    if (clients.length === 0)
      throw usageError('tag: expected computers, --room, --center, --where or --group, got none of them')
    await connect().call('POST /tags/update', { clients, add, remove })
    const changes = [...add.map(each => `+${each}`), ...remove.map(each => `-${each}`)]
    print(`${plural(clients.length, 'computer')}: ${changes.join(' ')}`)
  },
})
