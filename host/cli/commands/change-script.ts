// `fleet schedule edit --run` and `--script`: another script for the procedure that the task of a schedule runs.
import type { ProcedureAnswer, ScheduleAnswer, TaskAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { CliError } from '../cli-error.ts'
import { onOneLine } from '../terminal/terminal.ts'
import { cutLine } from '../terminal/text-table.ts'
import { isScript, readStored, recordWords, type Stored, stepWords, usersOf } from './scheduled-records.ts'
import { type ScriptFlags, scriptStep, scriptTitle, timeoutOf } from './script-library.ts'

/** Nothing else gets the new script. Resolves to what was done, and the name that the schedule has now. */
export async function changeScript(api: ApiClient, schedule: ScheduleAnswer, task: TaskAnswer, flags: ScriptFlags) {
  const stored = await readStored(api)
  const procedure = findOwnProcedure(stored, schedule.id, task)
  const { id, steps } = procedure
  const { step, title } = await changedStep(api, steps[0], flags)
  const line = await storeStep(api, procedure, step, stored)
  const former = schedule.plan?.procedure === id ? titleIn(schedule.name, steps[0]) : undefined
  return {
    name: former === undefined || title === undefined ? schedule.name : `${title}${schedule.name.slice(former.length)}`,
    line,
  }
}

/** A script that `fleet nightly` has given an end has the new one, where nothing else runs it. Resolves to what was done. */
export async function changeEnd(api: ApiClient, schedule: number, task: TaskAnswer, until: string) {
  const stored = await readStored(api)
  const procedure = ownProcedure(stored, schedule, task)
  const [step] = typeof procedure === 'string' ? [] : procedure.steps
  if (typeof procedure === 'string' || !step || !('command' in step) || step.params.end_at === undefined)
    return undefined
  return storeStep(api, procedure, { ...step, params: { ...step.params, end_at: until } }, stored)
}

/** Resolves to what was done. */
async function storeStep(
  api: ApiClient,
  { id, name, center }: ProcedureAnswer,
  step: ProcedureAnswer['steps'][number],
  stored: Stored,
): Promise<string> {
  await api.call('POST /procedure/update', { procedure: String(id), center: String(center), name, steps: [step] })
  const words = cutLine(onOneLine(stepWords(step, stored)), wordsCharacters)
  return `its ${recordWords({ kind: 'procedure', id, name })} does from now on: ${words}`
}

/** Another script has the time of the one before; `--timeout` alone changes the time. */
async function changedStep(api: ApiClient, step: ProcedureAnswer['steps'][number] | undefined, flags: ScriptFlags) {
  const params = step && 'command' in step ? step.params : {}
  const { run, script, set, timeout } = flags
  if (step && timeout !== undefined && [run, script, set].every(each => each === undefined))
    return { step: { ...step, params: { ...params, timeout: timeoutOf(timeout) } }, title: undefined }
  return scriptStep(api, 'schedule edit', flags, endsOf(params))
}

const endsOf = ({ timeout, end_at }: Record<string, unknown>) => ({
  ...(timeout !== undefined && { timeout }),
  ...(end_at !== undefined && { end_at }),
})

/** What `fleet nightly` has called the script in the name of the schedule; undefined of a name that somebody has chosen. */
function titleIn(name: string, step: ProcedureAnswer['steps'][number] | undefined): string | undefined {
  const { run, script } = step && 'command' in step ? step.params : {}
  const [file] = /^\S+\.(sh|bash|py)\b/.exec(name) ?? []
  const titles = [typeof script === 'string' ? script : scriptTitle(String(run)), file]
  return titles.find(title => title && [', then ', ': '].some(next => name.startsWith(`${title}${next}`)))
}

const wordsCharacters = 80

function findOwnProcedure(stored: Stored, schedule: number, task: TaskAnswer): ProcedureAnswer {
  const procedure = ownProcedure(stored, schedule, task)
  if (typeof procedure === 'string') throw new CliError(`schedule edit: ${procedure}`)
  return procedure
}

/** That of the only step of the task, with a script alone, which runs for this schedule alone; or why there is none. */
function ownProcedure(stored: Stored, schedule: number, task: TaskAnswer): ProcedureAnswer | string {
  const [only, ...others] = task.steps
  const id = only && others.length === 0 && 'procedure' in only ? only.procedure : undefined
  const found = stored.procedure.find(each => each.id === id)
  if (!found) return `expected a task of one procedure, got ${recordWords({ kind: 'task', ...task })}`
  const subject = recordWords({ kind: 'procedure', ...found })
  if (found.steps.length !== 1 || !isScript(found.steps[0]))
    return `${subject} is no script alone: fleet procedure edit ${found.id} --steps changes its steps`
  const users = [
    ...usersOf(stored, 'procedure', found.id).filter(each => each.kind !== 'task' || each.id !== task.id),
    ...usersOf(stored, 'task', task.id).filter(each => each.kind !== 'schedule' || each.id !== schedule),
  ]
  const edits = `fleet procedure edit ${found.id} --steps changes it for all, fleet nightly makes another one`
  return users.length > 0 ? `${subject} runs for ${users.map(recordWords).join(', ')}, too: ${edits}` : found
}
