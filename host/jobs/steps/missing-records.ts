// What schedules name that is not there any more, so that they will fail: records, rooms, and what their commands name.
import { addressesIn } from '../../../stores/rules/scope-nodes.ts'
import type { Schedule, ScheduledCommand, Step, Task } from '../../../stores/store.ts'
import { missingTargets } from '../../search/describe-targets.ts'
import type { JobsDeps } from '../deps.ts'
import type { CommandStep } from './resolve-steps.ts'

type Deps = Pick<JobsDeps, 'store' | 'findCommand' | 'services'>

/** A record that a schedule or a step names. */
interface Named {
  type: string
  id: number
}

type Targets = Pick<Task, 'scope' | 'where' | 'group'> & { clients?: readonly string[] | undefined }

/** By the ids of schedules: `image win11`, `room Studio`; nothing of those that miss nothing. */
export type FindMissing = (schedules: readonly Schedule[]) => Promise<ReadonlyMap<number, string[]>>

export function createFindMissing(deps: Deps): FindMissing {
  return async schedules => {
    const found = new Map<number, string[]>()
    if (schedules.length === 0) return found
    const records = await readRecords(deps)
    const askCommand = createAskCommand(deps)
    for (const { id, type, task } of schedules) {
      const scheduled = type === 'command' ? await deps.store.schedules.findScheduledCommand(task) : undefined
      const missing = scheduled
        ? [...targetsOf(scheduled, records), ...(await askCommand(scheduled))]
        : await inRecord({ type, id: task }, records, askCommand)
      if (missing.length > 0) found.set(id, [...new Set(missing)])
    }
    return found
  }
}

type Records = Awaited<ReturnType<typeof readRecords>>

async function readRecords({ store }: Deps) {
  const [tasks, procedures, groups] = [
    await store.tasks.list(),
    await store.procedures.list(),
    await store.groups.list(),
  ]
  const [scopes, deleted] = [await store.scopes(), await store.undo.list()]
  const rows = new Map<string, Targets & { steps: Step[] }>()
  for (const row of tasks) rows.set(`task ${row.id}`, row)
  for (const row of procedures) rows.set(`procedure ${row.id}`, row)
  return {
    rows,
    groups,
    scopes,
    addresses: new Set(scopes.flatMap(addressesIn)),
    /** With its name where it can be taken back. */
    wordsOf({ type, id }: Named): string {
      const item = deleted.findLast(each => each.kind === type && each.record === id)
      return `${type} ${item?.name ?? id}`
    },
  }
}

/** Of a task or a procedure that a schedule names: of its targets, and of its steps at whatever depth. */
async function inRecord(named: Named, records: Records, askCommand: AskCommand): Promise<string[]> {
  const seen = new Set<string>()
  async function inSteps(step: Named): Promise<string[]> {
    const key = `${step.type} ${step.id}`
    const row = records.rows.get(key)
    if (!row) return [records.wordsOf(step)]
    if (seen.has(key)) return []
    seen.add(key)
    const lists = row.steps.map(each => ('command' in each ? askCommand(each) : inSteps(namedBy(each))))
    return (await Promise.all(lists)).flat()
  }
  const row = records.rows.get(`${named.type} ${named.id}`)
  return [...(row ? targetsOf(row, records) : []), ...(await inSteps(named))]
}

const namedBy = (step: Exclude<Step, CommandStep>): Named =>
  'task' in step ? { type: 'task', id: step.task } : { type: 'procedure', id: step.procedure }

function targetsOf(targets: Targets | ScheduledCommand, records: Records): string[] {
  const { clients = [] } = targets
  const haveRecords = clients.length === 0 || clients.some(addr => records.addresses.has(addr))
  const places = missingTargets(targets, records).map(records.wordsOf)
  return haveRecords ? places : [...places, 'the records of its computers']
}

type AskCommand = ReturnType<typeof createAskCommand>

/** Asks about equal steps once. */
function createAskCommand({ findCommand, services }: Deps) {
  const asked = new Map<string, Promise<string[]>>()

  async function ask({ command, params }: CommandStep): Promise<string[]> {
    const loaded = findCommand(command)
    if (!loaded) return [`command ${command}`]
    const context = services.contextOf(loaded)
    try {
      const missing = await loaded.command.missing?.({ payload: { ...params, clients: [] }, ...context })
      return missing === undefined ? [] : [missing]
    } catch (error) {
      context.services.log.error('missing failed', error)
      return []
    }
  }

  return (step: CommandStep): Promise<string[]> => {
    const key = JSON.stringify([step.command, step.params])
    const words = asked.get(key) ?? ask(step)
    asked.set(key, words)
    return words
  }
}
