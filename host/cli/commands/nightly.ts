// `fleet nightly`: what computers do every night: makes a procedure, a task with its options, and their schedule.
import type { ApiClient } from '../api/client.ts'
import { centerOf, findId, followedQuery, resolveAddresses, type ScopeFlags } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import { formatLocalTime, plural } from '../terminal/text-table.ts'
import { optionWords } from './record-kinds.ts'
import { readNextTimes, whenOf } from './schedule.ts'
import { checkedRun, libraryOptions, scriptOf } from './script-library.ts'
import { subcommand } from './subcommand.ts'
import { noComputers, scopeOptions } from './subcommand-options.ts'

const help = `
Rooms, centers, queries and groups are followed: computers that get into them
later are meant, too. What it made is in fleet schedule list, fleet task list and
fleet procedure list, by the same name.

  fleet nightly --room "Room 1" --run update.sh --at 22:30 --until 06:30
  fleet nightly --center Arts --run 'apt-get -y upgrade' --then poweroff --at 22:30
  fleet nightly --group Lab --script Update --set edition=full --at 22:30`

export const nightly = subcommand({
  command: 'nightly',
  description: 'run a script on computers every night: wakes them, and powers them off afterwards',
  options: {
    ...scopeOptions,
    '--run <script>': 'a file of this computer with the script, or the script itself',
    ...libraryOptions,
    '--at <hh:mm>': { text: 'the local time of the daemon', required: true },
    '--until <hh:mm>': 'what has not begun by then expires',
    '--then <step>': { text: 'a last step of each computer', choices: ['poweroff'] },
    '--on <days>': 'only on these days of the week or of the month, e.g. mon,wed,fri or 1,15',
    '--batch <count>': 'at most so many computers at once',
    '--when-idle': 'wait where somebody is logged in',
    '--no-wake': 'do not wake computers that are off',
    '--name <name>': 'default: what it does, and where',
    '--json': 'print the ids of what it made in JSON',
  },
  help,
  async run(context, { run, script, set, at, on, name, json, ...flags }) {
    const api = context.connect()
    const { words, targets, center } = await findTargets(api, flags)
    const step = await stepOf(api, { run, script, set })
    const when = whenOf(at, on)
    const options = optionsOf(flags)
    const whole = name ?? `${step.title}${flags.then ? `, then ${flags.then}` : ''}: ${words}`
    const ids = await create(api, {
      procedure: { center, name: whole, steps: [step.step] },
      task: { center, name: whole, ...targets, options },
      schedule: { name: whole, type: 'task', when },
    })
    if (json) return context.printJson(ids)
    const { next } = await readNextTimes(api, ids.schedule, '1')
    const days = on === undefined ? 'every day' : `on ${on}`
    context.print(`${whole}\nis scheduled ${days} at ${at}, ${optionWords(options)} (schedule ${ids.schedule})`)
    context.print(`next: ${next.map(formatLocalTime).join() || 'never'}; fleet schedule list shows it`)
  },
})

type Flags = ScopeFlags & {
  until?: string | undefined
  then?: string | undefined
  batch?: string | undefined
  whenIdle?: boolean | undefined
  wake?: boolean | undefined
}

/** Keys of absent options are undefined, and so not sent. */
function optionsOf({ until, then, batch, whenIdle, wake = true }: Flags) {
  if (batch !== undefined && !/^[1-9]\d{0,4}$/.test(batch))
    throw usageError(`--batch: expected a number from 1, got ${batch}`)
  if (until !== undefined && !/^([01]?\d|2[0-3]):[0-5]\d$/.test(until))
    throw usageError(`--until: expected a time such as 06:30, got ${until}`)
  const options = { wake, when_idle: whenIdle, until: until?.padStart('hh:mm'.length, '0') }
  return JSON.parse(JSON.stringify({ ...options, then, batch: batch && Number(batch) }))
}

/** What a task has for them, with words for its name, and the center that it belongs to. */
async function findTargets(api: ApiClient, flags: ScopeFlags) {
  const { room = [], center = [], where, group, client = [] } = flags
  const isPlace = room.length + center.length > 0 && client.length === 0
  const addresses = isPlace ? [] : await resolveAddresses(api, flags)
  if (!isPlace && addresses.length === 0) throw usageError(`nightly: ${noComputers}`)
  const owner = String(await centerOf(api, flags, addresses[0]))
  if (isPlace)
    return {
      center: owner,
      words: [...room, ...center].join(', '),
      targets: { where: await followedQuery(api, flags) },
    }
  if (where !== undefined) return { center: owner, words: where, targets: { where } }
  if (group !== undefined)
    return { center: owner, words: group, targets: { group: await findId(api, 'group', '--group', group) } }
  return {
    center: owner,
    words: client.length === 1 ? client.join() : plural(addresses.length, 'computer'),
    targets: { clients: addresses },
  }
}

/** A script of this computer or of the library, as the step of a procedure. */
async function stepOf(
  api: ApiClient,
  { run, script, set }: Record<'run' | 'script', string | undefined> & { set: string[] | undefined },
) {
  if ((run === undefined) === (script === undefined)) throw usageError('nightly: expected either --run or --script')
  if (script !== undefined)
    return { title: script, step: { command: 'script-run', params: await checkedRun(api, script, set) } }
  const { title, text } = scriptOf(run ?? '')
  return { title, step: { command: 'shell-run', params: { run: text, echo: true } } }
}

interface Records {
  procedure: object
  task: object
  schedule: object
}

/** All of them, or none: what was made before one is refused is deleted. */
async function create(api: ApiClient, { procedure, task, schedule }: Records) {
  const ids: Record<keyof Records, number> = { procedure: 0, task: 0, schedule: 0 }
  const made: (keyof Records)[] = []
  async function add(kind: keyof Records, route: string, payload: object) {
    const { added } = await api.call(route, payload)
    if (added === undefined) throw new CliError(`${route}: expected the id of the new ${kind}, got none`)
    ids[kind] = added
    made.push(kind)
  }
  try {
    await add('procedure', 'POST /procedure/add', procedure)
    await add('task', 'POST /task/add', { ...task, steps: [{ procedure: ids.procedure }] })
    await add('schedule', 'POST /schedule/create', { ...schedule, task: String(ids.task) })
  } catch (error) {
    for (const kind of made.reverse()) await api.call(`POST /${kind}/delete`, { id: String(ids[kind]) })
    throw error
  }
  return ids
}
