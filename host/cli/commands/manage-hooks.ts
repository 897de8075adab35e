// `fleet hook`: lists the hooks of the daemon, and runs, pauses and resumes one.
import type { AnswerOf } from '../../contract/answers.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { read, subcommand } from './subcommand.ts'

type HookAnswer = AnswerOf<'GET /hooks'>['hooks'][number]

const shownTime = (time: string | undefined) => time && formatLocalTime(time)

const columns: Column<HookAnswer>[] = [
  { title: 'hook', value: ({ name }) => name },
  {
    title: 'when',
    value: ({ kind, on, every, cron, before }) => `${kind} ${every ?? cron ?? (on ?? before ?? []).join(' ')}`,
  },
  'state',
  'waiting',
  'runs',
  'failures',
  'mean_ms as mean ms',
  'longest_ms as longest ms',
  { title: 'last run', value: ({ last_run }) => shownTime(last_run) },
  { title: 'next run', value: ({ next_run }) => shownTime(next_run) },
]

const list = read({
  command: 'list',
  description: 'list hooks, their last and next runs, how long they keep the daemon busy, and what has failed',
  read: 'GET /hooks',
  format({ hooks }, { width }) {
    const errors = hooks.flatMap(({ name, last_error }) => (last_error === undefined ? [] : `${name}: ${last_error}`))
    return [formatTable(hooks, columns, width, 'no hooks'), ...errors].join('\n')
  },
})

const change = (verb: 'run' | 'pause' | 'resume', description: string, done: string) =>
  subcommand({
    command: `${verb} <name>`,
    description,
    async run(context, _, name) {
      await context.connect().call(`POST /hook/${verb}`, { hook: name })
      context.print(`${name} ${done}`)
    },
  })

export const hook = subcommand({
  command: 'hook',
  description: 'list hooks, and run, pause or resume one',
  children: [
    list,
    change('run', 'run a hook with every or cron now', 'runs now'),
    change('pause', 'pause a hook until it is resumed', 'is paused'),
    change('resume', 'resume a paused hook', 'is resumed'),
  ],
})
