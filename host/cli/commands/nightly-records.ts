// What `fleet nightly` makes, or finds made by an earlier one; and what stays of it when its schedule is deleted.
import { isDeepStrictEqual } from 'node:util'
import type { ProcedureAnswer, ScheduleAnswer, TaskAnswer, When } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { CliError } from '../cli-error.ts'
import { whenWords } from './schedule-times.ts'

type Target = Pick<TaskAnswer, 'where' | 'group' | 'clients'>

export interface NightlyRecords {
  name: string
  /** Its id in digits. */
  center: string
  steps: ProcedureAnswer['steps']
  /** Whom it is for. */
  target: Target
  options: NonNullable<TaskAnswer['options']>
  when: When
}

type Kind = 'procedure' | 'task'

interface Stored {
  schedules: ScheduleAnswer[]
  task: TaskAnswer[]
  procedure: ProcedureAnswer[]
}

async function readStored({ call }: ApiClient): Promise<Stored> {
  const [schedules, tasks, procedures] = await Promise.all([
    call('GET /schedules'),
    call('GET /tasks'),
    call('GET /procedures'),
  ])
  return { schedules: schedules.body.schedules, task: tasks.body.tasks, procedure: procedures.body.procedures }
}

/** All of them, or none: what was made before one is refused is deleted. What an earlier one has left is used again. */
export async function createNightly(
  api: ApiClient,
  { name, center, steps, target, options, when }: NightlyRecords,
): Promise<Record<Kind | 'schedule', number>> {
  const stored = await readStored(api)
  const made: { kind: Kind; id: number }[] = []
  const named = { center, name }
  const isNamed = (row: { center: number; name: string }) => row.name === name && String(row.center) === center
  refuseScheduled(stored, stored.task.find(isNamed))

  async function findOrAdd(kind: Kind, content: object): Promise<number> {
    const before = stored[kind].find(isNamed)
    if (!before) {
      const id = await add(api, `POST /${kind}/add`, { ...named, ...content })
      made.push({ kind, id })
      return id
    }
    if (!isDeepStrictEqual(contentOf(before), contentOf(content))) throw otherContent(kind, stored, isNamed)
    return before.id
  }

  try {
    const procedure = await findOrAdd('procedure', { steps })
    const task = await findOrAdd('task', { ...target, options, steps: [{ procedure }] })
    const schedule = await add(api, 'POST /schedule/create', { name, type: 'task', when, task: String(task) })
    return { procedure, task, schedule }
  } catch (error) {
    for (const { kind, id } of made.reverse()) await api.call(`POST /${kind}/delete`, { id: String(id) })
    throw error
  }
}

async function add(api: ApiClient, route: string, payload: object): Promise<number> {
  const { added } = await api.call(route, payload)
  if (added === undefined) throw new CliError(`${route}: expected the id of the new record, got none`)
  return added
}

const contentKeys = ['steps', 'scope', 'where', 'group', 'clients', 'options']

/** What it does, and for whom, as JSON has it. */
const contentOf = (row: object) =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(row).filter(([key]) => contentKeys.includes(key)))))

function refuseScheduled({ schedules }: Stored, task: TaskAnswer | undefined): void {
  const schedule = schedules.find(row => row.type === 'task' && row.task === task?.id)
  if (!schedule) return
  const { id, name, when } = schedule
  throw new CliError(
    `nightly: ${name} is scheduled already, ${whenWords(when)} (schedule ${id}): ` +
      `change it with fleet schedule edit ${id}, or choose another --name`,
  )
}

function otherContent(kind: Kind, stored: Stored, isNamed: (row: TaskAnswer | ProcedureAnswer) => boolean): CliError {
  const named = (['task', 'procedure'] as const).flatMap(each =>
    stored[each].filter(isNamed).map(({ id, name }) => ({ kind: each, id, name })),
  )
  const own = named.find(each => each.kind === kind)
  const what = kind === 'task' ? 'has other steps, computers or options' : 'does something else'
  return new CliError(
    `nightly: there is a ${kind} ${own?.name} (${kind} ${own?.id}) which ${what}: ` +
      `choose another --name, or delete it before: ${deletionWords(named)}`,
  )
}

const deletionWords = (records: { kind: Kind; id: number }[]) =>
  records.map(({ kind, id }) => `fleet ${kind} delete ${id}`).join('; ')

/** Lines with the task and the procedures that a schedule runs and nothing else uses; '' without any. */
export async function describeRemaining(api: ApiClient, id: number): Promise<string> {
  const stored = await readStored(api)
  const deleted = stored.schedules.find(each => each.id === id)
  if (!deleted || deleted.type === 'command') return ''
  const kept = { ...stored, schedules: stored.schedules.filter(each => each !== deleted) }
  const unused = findUnused(kept, deleted.type, deleted.task)
  if (unused.length === 0) return ''
  const words = unused.map(({ kind, id, name }) => `${kind} ${name} (${kind} ${id})`)
  return `it ran what stays: ${words.join(', ')}; to delete that, too: ${deletionWords(unused)}`
}

/** The record, and the procedures of it that would be unused without it. */
function findUnused(stored: Stored, kind: Kind, id: number): { kind: Kind; id: number; name: string }[] {
  const record = stored[kind].find(row => row.id === id)
  if (!record || isUsed(stored, kind, id)) return []
  const remaining = { ...stored, [kind]: stored[kind].filter(row => row !== record) }
  const ids = new Set(record.steps.flatMap(step => ('procedure' in step ? step.procedure : [])))
  return [
    { kind, id, name: record.name },
    ...[...ids].flatMap(procedure => findUnused(remaining, 'procedure', procedure)),
  ]
}

const isUsed = ({ schedules, task, procedure }: Stored, kind: Kind, id: number): boolean =>
  schedules.some(row => row.type === kind && row.task === id) ||
  [...task, ...procedure].some(({ steps }) =>
    steps.some(step => (kind === 'task' ? 'task' in step && step.task === id : isProcedure(step, id))),
  )

const isProcedure = (step: object, id: number) => 'procedure' in step && step.procedure === id
