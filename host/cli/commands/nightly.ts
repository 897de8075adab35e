// `fleet nightly`: what computers do every night: makes a procedure, a task with its options, and their schedule.
import { usageError } from '../cli-error.ts'
import { formatLocalTime } from '../terminal/text-table.ts'
import { createNightly } from './nightly-records.ts'
import { optionsOf, optionWords, runOptions } from './run-options.ts'
import { daysHelp, readNextTimes, whenOf, whenWords } from './schedule-times.ts'
import { endWords } from './scheduled-records.ts'
import { scriptOptions, scriptStep } from './script-library.ts'
import { subcommand } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'
import { findTargets } from './task-targets.ts'

const help = `
Rooms, centers, queries and groups are followed: computers that get into them
later are meant, too. What it made is in fleet schedule list, fleet task list and
fleet procedure list, by the same name.

  fleet nightly --room "Room 1" --run update.sh --at 22:30 --until 06:30
  fleet nightly --center Arts --run 'apt-get -y upgrade' --then poweroff --at 22:30
  fleet nightly --group Lab --script Update --set edition=full --at 22:30`

export const nightly = subcommand({
  command: 'nightly [computer...]',
  description: 'run a script on computers every night: wakes them, and powers them off afterwards',
  options: {
    ...scopeOptions,
    ...scriptOptions,
    '--at <hh:mm>': { text: 'the local time of the daemon', required: true },
    '--on <days>': `only on these ${daysHelp}`,
    ...runOptions,
    '--timeout <time>': 'end the script after 30s, 10m or 2h; default: 8h without --until, which ends it, too',
    '--no-when-idle': 'power computers off where somebody is logged in, too; default: they wait with --then',
    '--name <name>': 'default: what it does, and where',
    '--json': 'print the ids of what it made in JSON',
  },
  help,
  async run(context, { run, script, set, timeout, at, on, name, json, ...flags }, computers) {
    if (flags.thenAfter && !flags.then) throw usageError('nightly: expected --then with --then-after, got none')
    const api = context.connect()
    const { client = [] } = flags
    const chosen = computers.length > 0 ? { ...flags, client: [...computers, ...client] } : flags
    const { words, targets, center } = await findTargets(api, 'nightly', chosen)
    const when = whenOf(at, on)
    // Nobody loses what is open there, unless that is asked for.
    const options = optionsOf({ ...flags, whenIdle: flags.whenIdle ?? (flags.then && true) })
    const step = await scriptStep(api, 'nightly', { run, script, set, timeout }, endOf(options))
    const whole = name ?? `${step.title}${flags.then ? `, then ${flags.then}` : ''}: ${words}`
    const steps = [step.step]
    const ids = await createNightly(api, { name: whole, center, steps, target: targets, options, when })
    if (json) return context.printJson(ids)
    const { next } = await readNextTimes(api, ids.schedule, '1')
    context.print(`${whole}\nis scheduled ${whenWords(when)}, ${optionWords(options)} (schedule ${ids.schedule})`)
    context.print(scriptWords(step, ids.schedule))
    if (flags.then) context.print(useWords(options.when_idle))
    context.print(`next: ${next.map(formatLocalTime).join() || 'never'}; fleet schedule list shows it`)
  },
})

/** A script is not to go on, or be ended by a power off, in the morning. */
const endOf = ({ until }: ReturnType<typeof optionsOf>) =>
  until === undefined ? { timeout: 8 * 3600 } : { end_at: until }

function scriptWords({ title, step, isCopy }: Awaited<ReturnType<typeof scriptStep>>, schedule: number): string {
  const end = `is ended ${endWords(step.params, 'where it runs longer than ', 'at ').join(', or ')}`
  return isCopy
    ? `the script is what ${title} has now, and ${end}; what the file has later: fleet schedule edit ${schedule} --run FILE`
    : `the script ${end}`
}

const useWords = (whenIdle: boolean | undefined) =>
  whenIdle
    ? 'where somebody is logged in it waits until nobody is; with --no-when-idle it does not'
    : 'computers where somebody is logged in are powered off, too'
