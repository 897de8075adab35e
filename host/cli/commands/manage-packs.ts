// `fleet pack`: lists packs, shows and changes their settings and roles, enables, disables and purges them.
import type { AnswerOf } from '../../contract/answers.ts'
import type { Schema } from '../../contract/api-document.ts'
import type { ApiClient } from '../api/client.ts'
import { findId } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import { type Column, formatTable, plural } from '../terminal/text-table.ts'
import { readPassword } from './change-password.ts'
import { confirm } from './confirm.ts'
import { handOnPacks } from './hand-on-packs.ts'
import { read, subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

type PackAnswer = AnswerOf<'GET /packs'>['packs'][number]
type Values = Record<string, unknown>

const columns: Column<PackAnswer>[] = [
  { title: 'pack', value: ({ name }) => name },
  { title: 'state', value: ({ origin, enabled }) => (origin === undefined ? 'gone' : enabled ? 'on' : 'off') },
  'role',
  'version',
  { title: 'files', value: ({ files }) => files.length },
  'documents',
  'bytes',
  'origin',
  'summary',
]

const list = read({
  command: 'list',
  description: 'list packs, and what is wrong with their settings',
  read: 'GET /packs',
  format({ packs }, { width }) {
    const problems = packs.flatMap(({ name, problem }) => (problem === undefined ? [] : `${name}: ${problem}`))
    return [formatTable(packs, columns, width, 'no packs'), ...problems].join('\n')
  },
})

async function findPack(api: ApiClient, name: string): Promise<PackAnswer> {
  const { body } = await api.call('GET /packs')
  const pack = body.packs.find(each => each.name === name)
  if (!pack) throw new CliError(`pack: there is no pack ${name}`)
  return pack
}

/** Sets the value at `mail.port`; the objects on the way are copies of their own. */
function setValue(values: Values, name: string, value: unknown): void {
  const [key = '', ...rest] = name.split('.')
  if (rest.length === 0) {
    values[key] = value
    return
  }
  const inner = values[key]
  values[key] = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {}
  // `as`: the line above has made it an object.
  setValue(values[key] as Values, rest.join('.'), value)
}

/** A number, list and the like as JSON; anything else is a text. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** With the ids of rooms and groups in place of their names. */
async function replaceNames(
  api: ApiClient,
  { idOf, properties = {}, items = {} }: Schema,
  value: unknown,
): Promise<unknown> {
  if (idOf !== undefined) return typeof value === 'string' ? findId(api, idOf, idOf, value) : value
  if (Array.isArray(value)) return Promise.all(value.map(each => replaceNames(api, items, each)))
  if (!(value instanceof Object)) return value
  const entries = Object.entries(value).map(async ([key, each]) => [
    key,
    await replaceNames(api, properties[key] ?? {}, each),
  ])
  return Object.fromEntries(await Promise.all(entries))
}

const settings = subcommand({
  command: 'settings <name>',
  description: 'show the settings of a pack, or change some and keep the others',
  options: {
    '--set <key=value...>': 'a nested key as mail.port=25; numbers, lists and the like as JSON',
    '--secret <key>': 'a secret, which is asked for, or read from standard input',
    '--unset <key...>': 'back to the default; of a secret: it is removed',
  },
  help: '\nexample: fleet pack settings notify --set sender=fleet@example.org --secret password',
  async run(context, { set = [], secret, unset = [] }, name) {
    const api = context.connect()
    const pack = await findPack(api, name)
    if (set.length + unset.length === 0 && secret === undefined) {
      const { settings, secrets, problem } = pack
      return context.print(
        JSON.stringify({ settings, secrets, ...(problem !== undefined && { problem }) }, undefined, 2),
      )
    }
    const changed: Values = structuredClone(pack.settings)
    for (const assignment of set) {
      const at = assignment.indexOf('=')
      if (at < 1) throw usageError(`--set: expected key=value, got ${assignment}`)
      setValue(changed, assignment.slice(0, at), parseValue(assignment.slice(at + 1)))
    }
    for (const key of unset) setValue(changed, key, key in pack.secrets ? null : undefined)
    if (secret !== undefined) setValue(changed, secret, await readPassword(context, [`${secret}:`]))
    const schema: Schema = pack.settings_schema ?? {}
    await api.call('POST /pack/settings', { pack: name, settings: await replaceNames(api, schema, changed) })
    context.print(`settings of ${name} are stored`)
  },
})

const enable = subcommand({
  command: 'enable <name>',
  description: 'put the files of a pack in service',
  async run(context, _, name) {
    const api = context.connect()
    await api.call('POST /pack/enable', { pack: name })
    const { problem } = await findPack(api, name)
    context.print(problem === undefined ? `${name} is on` : `${name} is on, but: ${problem}`)
  },
})

const disable = subcommand({
  command: 'disable <name>',
  description: 'take the files of a pack out of service; what it keeps stays',
  options: yesOption,
  async run(context, { yes }, name) {
    const describe = async () => `Disable ${name}: its hooks, views and commands end`
    await confirm(context, yes, { where: 'pack disable', needsConsent: false, describe })
    await context.connect().call('POST /pack/disable', { pack: name })
    context.print(`${name} is off`)
  },
})

const purge = subcommand({
  command: 'purge <name>',
  description: 'delete what a pack keeps, with its settings; only when it is off or gone',
  options: yesOption,
  async run(context, { yes }, name) {
    const api = context.connect()
    const describe = async () => {
      const { documents } = await findPack(api, name)
      return `Purge ${name}: ${plural(documents, 'document')}, its settings and its role are deleted`
    }
    await confirm(context, yes, { where: 'pack purge', needsConsent: true, describe })
    const { body } = await api.call('POST /pack/purge', { pack: name })
    context.print(`${plural(body.documents, 'document')} of ${name} deleted`)
  },
})

const role = subcommand({
  command: 'role <name>',
  description: 'set what a pack may do',
  options: {
    '--role <role>': { text: 'each includes the ones before', choices: ['read', 'operate', 'admin'], required: true },
  },
  async run(context, { role }, name) {
    await context.connect().call('POST /pack/role', { pack: name, role })
    context.print(`${name} has the role ${role}`)
  },
})

export const pack = subcommand({
  command: 'pack',
  description: 'list packs, change their settings and roles, enable, disable, purge, hand on or add one',
  children: [list, settings, enable, disable, purge, role, ...handOnPacks],
})
