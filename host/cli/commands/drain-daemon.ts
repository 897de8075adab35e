// `fleet drain`: the daemon accepts no new work before a restart; waits until nothing runs.
import { setTimeout as wait } from 'node:timers/promises'
import type { DrainAnswer } from '../../contract/answers.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { withProgress } from '../terminal/live-view.ts'
import { plural } from '../terminal/text-table.ts'
import { connectLocally } from './local-daemon.ts'
import { subcommand } from './subcommand.ts'
import { durationOf } from './subcommand-options.ts'

const pollMilliseconds = 500

/** Jobs that a line names. */
const listedJobs = 5

const stays = 'the daemon drains until its restart, or until fleet drain --cancel'

export const drain = subcommand({
  command: 'drain',
  description: 'before a restart: the daemon accepts no new work for clients; wait until nothing runs',
  options: {
    '--timeout <time>': 'wait at most so long, such as 90s, 10m or 2h; exit code 1 when something still runs',
    '--cancel': 'accept new work again',
    '--config <file>': 'the daemon of this machine that has this options file, with its token; before an update',
  },
  async run(program, { timeout, cancel, config }) {
    const milliseconds =
      timeout === undefined ? Number.POSITIVE_INFINITY : durationOf(timeout.replace(/\d$/, '$&s'), 'smh')
    if (milliseconds === undefined)
      throw usageError(`--timeout: expected a time such as 90s, 10m or 2h, got ${timeout}`)
    const api = config === undefined ? program.connect() : await connectLocally(config)
    const context = { ...program, connect: () => api }
    try {
      if (!cancel) return await withProgress(context, stays, () => drainUntil(context, Date.now() + milliseconds))
      await api.call('POST /drain', { cancel: true })
      context.print('not draining: the daemon accepts new work')
    } finally {
      api.close()
    }
  },
})

/** Ctrl-C ends the program, but the daemon keeps draining. */
async function drainUntil({ connect, print, progress, screen }: CliContext, end: number): Promise<void> {
  const { call } = connect()
  let { body: state } = await call('POST /drain')
  for (let previous = ''; state.running > 0; ) {
    const line = `waiting for ${describe(state)}`
    if (screen) progress(line)
    else if (line !== previous) print(line)
    previous = line
    if (Date.now() >= end) throw new CliError(`drain: ${describe(state)} still running; ${stays}`)
    await wait(Math.min(pollMilliseconds, end - Date.now()))
    state = (await call('GET /drain')).body
    if (!state.draining) throw new CliError('drain: cancelled meanwhile, or the daemon has restarted')
  }
  progress('')
  const queued = state.queued === 0 ? '' : `; ${plural(state.queued, 'part')} queued for after the restart`
  print(`nothing is running${queued}; ${stays}`)
}

/** `3 parts of job 11, job 12`. */
function describe({ running, running_jobs: jobs }: DrainAnswer): string {
  const names = jobs.slice(0, listedJobs).map(({ id }) => `job ${id}`)
  const more = jobs.length > listedJobs ? [`${jobs.length - listedJobs} more`] : []
  return plural(running, 'part') + (names.length > 0 ? ` of ${[...names, ...more].join(', ')}` : '')
}
