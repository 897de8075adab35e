// `fleet nightly`: what computers do every night: makes a procedure, a task with its options, and their schedule.
import type { When } from '../../contract/answers.ts'
import { timesOf } from '../../contract/recurrence-words.ts'
import { usageError } from '../cli-error.ts'
import { formatLocalTime } from '../terminal/text-table.ts'
import { createNightly } from './nightly-records.ts'
import { optionsOf, optionWords, runOptions } from './run-options.ts'
import { daysHelp, readNextTimes, refusePast, whenOf, whenWords } from './schedule-times.ts'
import { endWords } from './scheduled-records.ts'
import { scriptOptions, scriptStep } from './script-library.ts'
import { subcommand } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'
import { findTargets } from './task-targets.ts'

const help = `
Rooms, centers, queries and groups are followed: computers that get into them
later are meant, too. Without a script, --then alone wakes nothing, and happens within
6 hours or until --until. What it made is in fleet schedule list, fleet task list and
fleet procedure list, by the same name.

  fleet nightly --room "Room 1" --run update.sh --at 22:30 --until 06:30
  fleet nightly --center Arts --run 'apt-get -y upgrade' --then poweroff --at 22:30
  fleet nightly --center Arts --then poweroff --at 23:00 --on mon-fri
  fleet nightly --group Lab --script Update --set edition=full --at 22:30`

export const nightly = subcommand({
  command: 'nightly [computer...]',
  description: 'run a script on computers every night, which are woken and may be powered off then; or power them off',
  options: {
    ...scopeOptions,
    ...scriptOptions,
    '--at <hh:mm>': { text: 'the local time of the daemon', required: true },
    '--on <days>': `only on these ${daysHelp}`,
    ...runOptions,
    '--timeout <time>': 'end the script after 30s, 10m or 2h; default: 8h, with --until 12h and the end of the night',
    '--no-when-idle': 'power computers off where somebody is logged in, too; default: they wait with --then',
    '--name <name>': 'default: what it does, and where',
    '--json': 'print the ids of what it made in JSON',
  },
  help,
  async run(context, { run, script, set, timeout, at, on, name, json, ...flags }, computers) {
    if (flags.thenAfter && !flags.then) throw usageError('nightly: expected --then with --then-after, got none')
    const isScript = [run, script, set, timeout].some(each => each !== undefined) || flags.then === undefined
    if (flags.thenAfter && !isScript) throw usageError('nightly: expected a script with --then-after, got none')
    const api = context.connect()
    const { client = [] } = flags
    const chosen = computers.length > 0 ? { ...flags, client: [...computers, ...client] } : flags
    const { words, targets, center } = await findTargets(api, 'nightly', chosen)
    const when = whenOf(at, on)
    refusePast('nightly', when)
    // Nobody loses what is open there, unless that is asked for.
    const asked = optionsOf({ ...flags, whenIdle: flags.whenIdle ?? (flags.then && true) })
    const options = isScript ? asked : alone(asked, when)
    const step = isScript ? await scriptStep(api, 'nightly', { run, script, set, timeout }, endOf(options)) : undefined
    const title = [step?.title, flags.then].filter(Boolean).join(', then ')
    const whole = name ?? `${title}: ${words}`
    const steps = [step ? step.step : { command: String(flags.then), params: {} }]
    const ids = await createNightly(api, { name: whole, center, steps, target: targets, options, when })
    if (json) return context.printJson(ids)
    const { next } = await readNextTimes(api, ids.schedule, '1')
    context.print(`${whole}\nis scheduled ${whenWords(when)}, ${optionWords(options)} (schedule ${ids.schedule})`)
    if (step) context.print(scriptWords(step, ids.schedule))
    if (flags.then) context.print(useWords(options.when_idle))
    context.print(`next: ${next.map(formatLocalTime).join() || 'never'}; fleet schedule list shows it`)
  },
})

/** A script is not to go on, or be ended by a power off, in the morning; one that is repeated by day has an end, too. */
const endOf = ({ until }: ReturnType<typeof optionsOf>) =>
  until === undefined ? { timeout: 8 * 3600 } : { timeout: 12 * 3600, end_at: until }

/** Hours after which a power off does not happen any more: who is switched on in the morning is to stay on. */
const powerOffHours = 6

/** Of a last step without a script before it: nothing is woken for it. */
function alone(asked: ReturnType<typeof optionsOf>, when: When): ReturnType<typeof optionsOf> {
  const { then, ...options } = asked
  const [[hours = 0, minutes = 0] = []] = timesOf(when).map(time => time.split(':').map(Number))
  const end = new Date(2000, 0, 1, hours + powerOffHours, minutes)
  return { until: end.toTimeString().slice(0, 'hh:mm'.length), ...options, wake: false }
}

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
