// `fleet undo`: lists the last deletions, edits and imports, and takes one back.
import { isDeepStrictEqual } from 'node:util'
import type { AnswerOf, When } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { usageError } from '../cli-error.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { onOneLine } from '../terminal/terminal.ts'
import { formatLocalTime, formatTable, plural, timeColumn } from '../terminal/text-table.ts'
import { confirm, undoHint } from './confirm.ts'
import { firingWords } from './edit-schedule.ts'
import { whenWords } from './schedule-times.ts'
import { read } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

/** `undo`: the id with which that is taken back in its turn. */
type Answer = AnswerOf<'GET /undo'> | (AnswerOf<'POST /undo'> & { undo?: number })

type Change = AnswerOf<'GET /undo'>['changes'][number]
type Named = NonNullable<Change['back']>[number]
type ValueChange = NonNullable<Change['changes']>[number]

const columns = ['id', timeColumn('at', 'when'), 'by', 'what', timeColumn('expires')] as const

interface Shown {
  title: string
  value(change: ValueChange): string
}

const valueColumns = [
  { title: 'of', value: ({ kind, name }) => `${kind} ${name}` },
  { title: 'what', value: ({ field }) => field },
  { title: 'comes back', value: ({ before, after }) => toText(before, after) },
  { title: 'in place of', value: ({ before, after }) => toText(after, before) },
] as const satisfies Shown[]

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of two objects what differs: `until 06:30`. */
function toText(value: unknown, other: unknown): string {
  if (value === null) return '-'
  if (value instanceof Object && 'week_days' in value) return whenWords(value as When) // What has these masks.
  if (isPlain(value) && isPlain(other)) {
    const keys = [...new Set([...Object.keys(value), ...Object.keys(other)])]
    const differing = keys.filter(key => !isDeepStrictEqual(value[key], other[key]))
    return differing.map(key => `${key} ${toText(value[key] ?? null, other[key] ?? null)}`).join(', ')
  }
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const show = read({
  command: 'show <id>',
  description: 'show what comes back',
  read: async (context, _, id) => {
    const query = new URLSearchParams({ id: requireId(id) })
    const [change] = (await context.connect().call(`GET /undo?${query}`)).body.changes
    if (!change) throw unknownId(id)
    return change
  },
  format(change, { width }) {
    const { what, by, at, changes } = change
    const lines = [`${what}, by ${by}, ${formatLocalTime(at)}`, ...formatNames(change)]
    if (change.later) lines.push(laterWords(change).slice(2))
    if (changes) lines.push(formatTable(changes, valueColumns, width), ...formatRest(change, changes))
    return lines.join('\n')
  },
})

/** `comes back: room Studio`, `comes back: 12 computers: pc-[01-12]`, `is deleted: computer pc-13`. */
function formatNames({ back = [], gone = [] }: Change): string[] {
  const toLine = (verb: string) => (each: Named) => {
    const { kind, count, names } = each
    const rest = count > names.length ? ' and others' : ''
    return onOneLine(`${verb}: ${count === 1 ? kind : `${plural(count, kind)}:`} ${foldNames(names)}${rest}`)
  }
  return [...back.map(toLine('comes back')), ...gone.map(toLine('is deleted'))]
}

function formatRest({ counts }: Change, changes: readonly ValueChange[]): string[] {
  const others = (counts.changed ?? 0) - new Set(changes.map(({ kind, record }) => `${kind} ${record}`)).size
  return others > 0 ? [`and ${plural(others, 'record')} more`] : []
}

/** `; overwrites name, gateway, which user anna has changed since, 2026-09-14 08:00:00 (14)`. */
const laterWords = ({ later = [] }: Change): string =>
  later
    .map(({ id, at, by, fields }) => {
      return `; overwrites ${fields.join(', ')}, which ${by} has changed since, ${formatLocalTime(at)} (${id})`
    })
    .join('')

/** What a question says of the change: before an import, and before what others have made since, is lost. */
async function questionOf(api: ApiClient, id: string): Promise<{ question?: string; overwrite?: true }> {
  const [change] = (await api.call(`GET /undo?${new URLSearchParams({ id })}`)).body.changes
  if (!change) return {}
  const added = change.kind === 'import' ? ': what it added is deleted' : ''
  const effects = added + laterWords(change)
  return {
    ...(effects && { question: `Take back the ${change.what}${effects}` }),
    ...(change.later && { overwrite: true }),
  }
}

function requireId(id: string): string {
  if (!/^\d+$/.test(id)) throw unknownId(id)
  return id
}

/** Nothing of a schedule that is deleted meanwhile. */
async function readFiring(api: ApiClient, id: number | undefined): Promise<string[]> {
  const schedule = (await api.call('GET /schedules')).body.schedules.find(each => each.id === id)
  return schedule ? firingWords(api, schedule) : []
}

const unknownId = (id: string) => usageError(`undo: expected an id that fleet undo lists, got ${id}`)

const undo = read({
  command: 'undo [id]',
  description: 'list deletions, edits and imports of the last 30 days, or take one back',
  help: `
  fleet undo
  fleet undo show 12
  fleet undo 12`,
  options: yesOption,
  children: [show],
  async read(context, { yes }, id): Promise<Answer> {
    const api = context.connect()
    if (id === undefined) return (await api.call('GET /undo')).body
    const { question, ...overwrite } = await questionOf(api, requireId(id))
    if (question) await confirm(context, yes, { where: 'undo', needsConsent: true, describe: async () => question })
    const { body: answer, undo } = await api.call('POST /undo', { id, ...overwrite })
    return { ...answer, ...(undo !== undefined && { undo }) }
  },
  async format(answer, { context, width }) {
    if ('changes' in answer) return formatTable(answer.changes, columns, width, 'nothing can be taken back')
    const { kind, record, what, fields, again = [] } = answer.undone
    const firing = fields && kind === 'schedule' ? await readFiring(context.connect(), record) : []
    if (fields) return `${[`Taken back: ${what}`, ...firing].join('\n')}${undoHint(answer.undo)}`
    const subject = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
    const users = again.length > 0 ? `; there again for ${again.join(', ')}` : ''
    const verb = /^\d/.test(what) ? 'are' : 'is'
    return `${subject} ${verb} ${kind === 'import' ? 'taken back' : 'back'}${users}${undoHint(answer.undo)}`
  },
})

export const undoCommands = [undo]
