// `fleet schedule edit`, `suspend` and `resume`: the API replaces a whole schedule, so what is not named is sent as it is.
import type { ScheduleAnswer, TaskAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { findId, type ScopeFlags } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { followedWords } from '../terminal/followed-words.ts'
import { formatLocalTime } from '../terminal/text-table.ts'
import { changeEnd, changeScript } from './change-script.ts'
import { undoHint } from './confirm.ts'
import { optionsOf, optionWords, runOptions } from './run-options.ts'
import { daysHelp, readNextTimes, refusePast, whenWords, withTimes } from './schedule-times.ts'
import { recordWords } from './scheduled-records.ts'
import { scriptOptions } from './script-library.ts'
import { type Add, subcommand } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'
import { findTargets, leaveOut } from './task-targets.ts'

async function findSchedule(api: ApiClient, text: string): Promise<ScheduleAnswer> {
  const id = await findId(api, 'schedule', 'schedule', text)
  const found = (await api.call('GET /schedules')).body.schedules.find(each => each.id === id)
  if (!found) throw new CliError(`schedule: there is no schedule ${id}`)
  return found
}

type Change = Partial<Pick<ScheduleAnswer, 'name' | 'when' | 'suspended' | 'task' | 'type'>>

/** Sends it whole, and says when it fires from now on, and what else was done. */
async function change(
  { print }: CliContext,
  api: ApiClient,
  { before, changed, lines = [] }: { before: ScheduleAnswer; changed: Change; lines?: string[] },
): Promise<void> {
  const { id, name, type, task, when, suspended } = { ...before, ...changed }
  const whole = { name, type, task: String(task), when, suspended }
  const { undo } = await api.call('POST /schedule/update', { id: String(id), ...whole })
  const words = await firingWords(api, await findSchedule(api, String(id)))
  print(`${[...words, ...lines].join('\n')}${suspended === 1 && lines.length === 0 ? '' : undoHint(undo)}`)
}

/** `win11 2026-11-28 22:00 (schedule 3) fires …` and `next: …`, as it is stored: a planned restore has its time in its name. */
export async function firingWords(api: ApiClient, { id, name, when, suspended }: ScheduleAnswer): Promise<string[]> {
  const subject = `${name} (schedule ${id})`
  if (suspended === 1) return [`${subject} is suspended; ${whenWords(when)} again after: fleet schedule resume ${id}`]
  const { next } = await readNextTimes(api, id, '1')
  return [`${subject} fires ${whenWords(when)}`, `next: ${next.map(formatLocalTime).join() || 'never'}`]
}

const suspension = (command: string, suspended: 0 | 1, description: string): Add =>
  subcommand({
    command: `${command} <name or id>`,
    description,
    async run(context, _, text) {
      const api = context.connect()
      await change(context, api, { before: await findSchedule(api, text), changed: { suspended } })
    },
  })

const { '--no-wake': noWake, '--when-idle': whenIdle, ...others } = runOptions

const edit = subcommand({
  command: 'edit <name or id>',
  alias: 'update',
  description: 'change a schedule; what is not named stays',
  options: {
    '--name <name>': 'its new name',
    '--at <hh:mm>': 'the local time of the daemon',
    '--on <days>': `${daysHelp}; of what fires once the date, or the next such day: sat`,
    '--repeat': 'what fires once fires on all days of --on from now on',
    '--task <name or id>': 'another task or procedure',
    '--type <type>': { text: 'what --task names; default: as it is', choices: ['task', 'procedure'] },
    ...scriptOptions,
    ...scopeOptions,
    ...others,
    '--when-idle': whenIdle,
    '--no-when-idle': 'do not wait for who is logged in',
    '--wake': 'wake computers that are off',
    '--no-wake': noWake,
  },
  help: `
--run, --script and --timeout change the procedure that its task runs, where nothing else runs it;
--until, --then, --then-after, --batch, --when-idle, --wake and what chooses computers change the task;
--except alone leaves out more of them.`,
  async run(context, { name, at, on, repeat, task, type, run, script, set, timeout, ...flags }, text) {
    const { room, center, client, where, group, except } = flags
    const options = optionsOf(flags)
    const changesOptions = Object.keys(options).length > 0
    const changesScript = hasAny([run, script, set, timeout])
    const changesTargets = hasAny([room, center, client, where, group, except])
    const changesTask = changesOptions || changesScript || changesTargets
    if (!changesTask && !hasAny([name, at, on, task, type]))
      throw usageError('schedule edit: expected an option that says what to change, such as --at 22:30')
    if (repeat && on === undefined) throw usageError('schedule edit: expected --on with --repeat, got none')
    const api = context.connect()
    api.joinEdits()
    const before = await findSchedule(api, text)
    const when = withTimes(before.when, { at, on, repeat })
    if (hasAny([at, on, repeat])) refusePast('schedule edit', when)
    const changed: Change = {
      when,
      ...(name !== undefined && { name }),
      ...(await targetOf(api, before, { task, type })),
    }
    const own = changesTask ? await findTask(api, { ...before, ...changed }) : undefined
    const rescripted =
      own && changesScript ? await changeScript(api, before, own, { run, script, set, timeout }) : undefined
    const titled = { ...before, ...(rescripted && { name: rescripted.name }) }
    const moved =
      own && changesTargets
        ? await changeTargets(api, titled, own, { room, center, client, where, group, except })
        : { name: titled.name, line: undefined }
    const optioned = own && changesOptions ? await changeOptions(api, own, options) : undefined
    const { until } = options
    const ended = own && until !== undefined ? await changeEnd(api, before.id, own, until) : undefined
    // Its task and its procedure get a new name of it, too.
    const named = { ...(moved.name !== before.name && { name: moved.name }), ...changed }
    const lines = [rescripted?.line, moved.line, optioned, ended].filter(line => line !== undefined)
    await change(context, api, { before, changed: named, lines })
  },
})

const hasAny = (values: unknown[]) => values.some(each => each !== undefined)

async function targetOf(
  api: ApiClient,
  before: ScheduleAnswer,
  { task, type }: { task: string | undefined; type: 'task' | 'procedure' | undefined },
): Promise<Change> {
  if (task === undefined) {
    if (type !== undefined) throw usageError('schedule edit: expected --task with --type, got none')
    return {}
  }
  const kind = type ?? (before.type === 'procedure' ? 'procedure' : 'task')
  return { type: kind, task: await findId(api, kind, '--task', task) }
}

async function findTask({ call }: ApiClient, { type, task: id }: ScheduleAnswer): Promise<TaskAnswer> {
  const task = type === 'task' ? (await call('GET /tasks')).body.tasks.find(each => each.id === id) : undefined
  if (task) return task
  const names = '--run, --script, --until, --then, --batch, --when-idle, --wake and --room'
  throw usageError(`schedule edit: expected a schedule of a task for ${names}`)
}

/** What the options do not name stays. Resolves to what was done. */
async function changeOptions({ call }: ApiClient, task: TaskAnswer, options: ReturnType<typeof optionsOf>) {
  const { id, name, center } = task
  const all = { ...task.options, ...options }
  await call('POST /task/update', { task: String(id), center: String(center), name, options: all })
  return `its ${recordWords({ kind: 'task', id, name })} runs with: ${optionWords(all)}`
}

/** Resolves to what was done, and the name that the schedule has now: `fleet nightly` ends it with whom it is for. */
async function changeTargets(api: ApiClient, schedule: ScheduleAnswer, task: TaskAnswer, flags: ScopeFlags) {
  const { id, name, center, planned } = task
  if (planned)
    throw usageError(
      `schedule edit: a planned restore stays with its computers: fleet schedule delete ${schedule.id} and fleet restore; ` +
        'one is left out by: fleet computer edit NAME --maintenance',
    )
  const { except, ...chosen } = flags
  const { targets, words } = hasAny(Object.values(chosen))
    ? await findTargets(api, 'schedule edit', flags)
    : { targets: await leaveOut(api, task, { except }), words: undefined }
  const former = `: ${task.for.names.join(', ').replace(/ − [^−]*$/, '')}`
  const isRenamed = words !== undefined && schedule.name.endsWith(former)
  await api.call('POST /task/update', { task: String(id), center: String(center), name, ...targets })
  const now = (await api.call('GET /tasks')).body.tasks.find(each => each.id === id)
  return {
    name: isRenamed ? `${schedule.name.slice(0, -former.length)}: ${words}` : schedule.name,
    line: `its ${recordWords({ kind: 'task', id, name })} is for: ${now ? followedWords(now.for) : ''}`,
  }
}

export const scheduleChanges: Add[] = [
  edit,
  suspension('suspend', 1, 'do not fire until it is resumed; its times stay'),
  suspension('resume', 0, 'fire again at its times'),
]
