// What `fleet nightly` makes; and what goes and stays when a schedule is deleted.
import type { ProcedureAnswer, TaskAnswer, When } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { CliError } from '../cli-error.ts'
import { whenWords } from './schedule-times.ts'
import { type RecordKind, readStored, recordWords, type Stored, usersOf } from './scheduled-records.ts'

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

/**
 * All of them, or none: what was made before one is refused is deleted. The schedule has the ids of the others, which are
 * deleted with it.
 */
export async function createNightly(
  api: ApiClient,
  { name, center, steps, target, options, when }: NightlyRecords,
): Promise<Record<RecordKind | 'schedule', number>> {
  refuseTaken(await readStored(api), name, center)
  const made: { kind: RecordKind; id: number }[] = []

  async function addRecord(kind: RecordKind, content: object): Promise<number> {
    const id = await add(api, `POST /${kind}/add`, { center, name, ...content })
    made.push({ kind, id })
    return id
  }

  try {
    const procedure = await addRecord('procedure', { steps })
    const task = await addRecord('task', { ...target, options, steps: [{ procedure }] })
    const own = { task: String(task), procedure: String(procedure) }
    const schedule = await add(api, 'POST /schedule/create', { name, type: 'task', when, ...own })
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

/** Names are unique in a center. */
function refuseTaken(stored: Stored, name: string, center: string): void {
  const taken = (['task', 'procedure'] as const).flatMap(kind =>
    stored[kind]
      .filter(row => row.name === name && String(row.center) === center)
      .map(({ id }) => ({ kind, id, name })),
  )
  if (taken.length === 0) return
  const task = taken.find(({ kind }) => kind === 'task')
  const scheduled = stored.schedule.find(row => row.type === 'task' && row.task === task?.id)
  if (scheduled)
    throw new CliError(
      `nightly: ${scheduled.name} is scheduled already, ${whenWords(scheduled.when)} (schedule ${scheduled.id}): ` +
        `change it with fleet schedule edit ${scheduled.id}, or choose another --name`,
    )
  const words = taken.map(recordWords).join(', ')
  throw new CliError(
    `nightly: the name is that of ${words}: choose another --name, or delete before: ${deletionWords(taken)}`,
  )
}

const deletionWords = (records: { kind: RecordKind; id: number }[]) =>
  records.map(({ kind, id }) => `fleet ${kind} delete ${id}`).join('; ')

/** Lines about what goes with a schedule, and what stays although nothing else runs it; '' without any. */
export async function describeRest(api: ApiClient, id: number): Promise<string> {
  const stored = await readStored(api)
  const deleted = stored.schedule.find(each => each.id === id)
  if (!deleted || deleted.type === 'command') return ''
  const { plan } = deleted
  const kept = { ...stored, schedule: stored.schedule.filter(each => each !== deleted) }
  const unused = findUnused(kept, deleted.type, deleted.task)
  const goes = unused.filter(record => plan?.[record.kind] === record.id)
  const stays = unused.filter(record => !goes.includes(record))
  return [
    ...(goes.length > 0 ? [`with it: ${goes.map(recordWords).join(', ')}`] : []),
    ...(stays.length > 0
      ? [`it ran what stays: ${stays.map(recordWords).join(', ')}; to delete that, too: ${deletionWords(stays)}`]
      : []),
  ].join('\n')
}

/** The record, and the procedures of it that would be unused without it. */
function findUnused(stored: Stored, kind: RecordKind, id: number): { kind: RecordKind; id: number; name: string }[] {
  const record = stored[kind].find(row => row.id === id)
  if (!record || usersOf(stored, kind, id).length > 0) return []
  const remaining = { ...stored, [kind]: stored[kind].filter(row => row !== record) }
  const ids = new Set(record.steps.flatMap(step => ('procedure' in step ? step.procedure : [])))
  return [
    { kind, id, name: record.name },
    ...[...ids].flatMap(procedure => findUnused(remaining, 'procedure', procedure)),
  ]
}
