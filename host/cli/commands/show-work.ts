// `fleet schedule show`, `fleet task show` and `fleet procedure show`: one record, with what its steps do.
import type { ApiClient } from '../api/client.ts'
import { findId, readComputers } from '../api/records.ts'
import { CliError } from '../cli-error.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { followedWords } from '../terminal/followed-words.ts'
import { compareNames, formatLocalTime } from '../terminal/text-table.ts'
import { formatOutcome } from './night.ts'
import { nameOf } from './night-problems.ts'
import type { Computers } from './print-outputs.ts'
import { optionWords } from './run-options.ts'
import { readNextTimes, whenWords } from './schedule-times.ts'
import { readStored, recordWords, type Stored, stepWords, usersOf } from './scheduled-records.ts'
import { formatRecord } from './show-record.ts'
import { type Add, read } from './subcommand.ts'
import { findLeftOut } from './task-targets.ts'

type Kind = keyof Stored

interface Shown {
  stored: Stored & { computers: Computers }
  id: number
  next: string | undefined
  /** Addresses of computers in maintenance. */
  leftOut: string[]
}

async function readShown(api: ApiClient, kind: Kind, text: string): Promise<Shown> {
  const id = await findId(api, kind, kind, text)
  const stored = { ...(await readStored(api)), computers: await readComputers(api) }
  if (stored[kind].every(row => row.id !== id)) throw new CliError(`${kind}: there is no ${kind} ${id}`)
  const next = kind === 'schedule' ? (await readNextTimes(api, id, '1')).next[0] : undefined
  const named = kind === 'task' ? { type: kind, task: id } : stored[kind].find(row => row.id === id)
  const task = named && 'type' in named && named.type === 'task' && stored.task.find(row => row.id === named.task)
  return { stored, id, next, leftOut: task ? await findLeftOut(api, task) : [] }
}

const namesOf = (clients: readonly string[], computers: Computers) =>
  foldNames(clients.map(client => nameOf(client, computers)).sort(compareNames))

/** The names of a list of computers. */
const listed = ({ clients = [] }: { clients?: string[] }, { computers }: Shown['stored']) =>
  clients.length === 0 ? {} : { computers: namesOf(clients, computers) }

const leftOutOf = ({ leftOut, stored }: Shown) =>
  leftOut.length === 0 ? {} : { 'left out': `${namesOf(leftOut, stored.computers)} (in maintenance)` }

/** A task or a procedure in words; those that a schedule names may be gone. */
function fieldsOf(kind: 'task' | 'procedure', id: number, stored: Shown['stored']): Record<string, unknown> {
  const row = stored[kind].find(each => each.id === id)
  if (!row) return { [kind]: `${id}, which does not exist` }
  const { name, description, steps } = row
  const task =
    'for' in row ? { for: followedWords(row.for), ...listed(row, stored), how: optionWords(row.options) } : {}
  const words = steps.map((step, index) => [`step ${index + 1}`, stepWords(step, stored)])
  const [only, ...others] = steps
  const isOwn = kind === 'task' && only && others.length === 0 && 'procedure' in only
  const inside = isOwn ? fieldsOf('procedure', only.procedure, stored) : Object.fromEntries(words)
  // The name of a planned restore may have an earlier time.
  const title = row.planned ? `${kind} ${id}, which a planned restore has made` : `${name} (${kind} ${id})`
  return { [kind]: title, ...(description !== '' && { description }), ...task, ...inside }
}

const details: { [Of in Kind]: (shown: Shown) => Record<string, unknown> } = {
  schedule(shown) {
    const { stored, id, next } = shown
    const row = stored.schedule.find(each => each.id === id)
    if (!row) return {}
    const { name, when, suspended, type, task, by, last, missing, scheduled } = row
    return {
      schedule: `${name} (schedule ${id})`,
      when: whenWords(when),
      next: suspended === 1 ? 'suspended' : next === undefined ? 'never' : formatLocalTime(next),
      ...(missing && { gone: `${missing.join(', ')}: it will fail` }),
      last: last ? `${formatLocalTime(last.time)}: ${formatOutcome(last)}` : 'it has not fired yet',
      'made by': by,
      ...(row.for && { for: followedWords(row.for) }),
      ...leftOutOf(shown),
      ...(scheduled && { 'step 1': stepWords(scheduled, stored) }),
      ...(type !== 'command' && fieldsOf(type, task, stored)),
    }
  },
  task: shown => ({
    ...fieldsOf('task', shown.id, shown.stored),
    ...leftOutOf(shown),
    ...usedBy('task', shown.id, shown.stored),
  }),
  procedure: ({ stored, id }) => ({ ...fieldsOf('procedure', id, stored), ...usedBy('procedure', id, stored) }),
}

const usedBy = (kind: 'task' | 'procedure', id: number, stored: Stored) => ({
  'used by': usersOf(stored, kind, id).map(recordWords).join(', ') || 'nothing',
})

const show = (kind: Kind): Add =>
  read({
    command: 'show <name or id>',
    description: `show a ${kind} with what it does`,
    read: ({ connect }, _, text) => readShown(connect(), kind, text),
    format: (shown, { width }) => formatRecord(details[kind](shown), width),
    toJson: ({ stored, id, next, leftOut }) => ({
      ...stored[kind].find(row => row.id === id),
      next,
      left_out: leftOut,
    }),
  })

export const [showSchedule, showTask, showProcedure] = [show('schedule'), show('task'), show('procedure')]
