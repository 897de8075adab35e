// Draining before a restart: no new work is accepted and the queue stands still, while running parts may end.
import { refuse } from '../contract/refusal.ts'
import type { DrainService, DrainState, JobRuns, Refusal } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Execute, RunCommand } from './execute.ts'
import type { Queue } from './queue/queue.ts'
import type { RunningParts } from './record/running-parts.ts'
import type { ScheduleRunner } from './service.ts'

const refusal = refuse('the daemon drains before a restart and accepts no new work')

/** Running jobs that are listed by their ids. */
const listedJobs = 100

export class Drain implements DrainService {
  #isOn = false
  readonly #deps: { queue: Queue; running: RunningParts; log: Log }

  constructor(deps: { queue: Queue; running: RunningParts; log: Log }) {
    this.#deps = deps
  }

  /** Refuses commands that are sent to clients or act on them. */
  guardExecute(execute: Execute): Execute {
    return (loaded, payload, request) => {
      const { forward, act } = loaded.command
      if (!forward && !act) return execute(loaded, payload, request)
      if (this.#isOn) return Promise.resolve(refusal)
      return this.#deps.running.whileStarting(execute(loaded, payload, request))
    }
  }

  /** As `guardExecute`, for what packs ask for. */
  guardRun(run: RunCommand): RunCommand {
    return async (...work) => (this.#isOn ? refusal : this.#deps.running.whileStarting(run(...work)))
  }

  /** Refuses runs and retries that callers ask for. Schedules run: the queue keeps their parts for after the restart. */
  guardService<Service extends JobRuns & ScheduleRunner>(service: Service): Service {
    const { running } = this.#deps
    return {
      ...service,
      runTask: async (...task) => (this.#isOn ? refusal : running.whileStarting(service.runTask(...task))),
      runProcedure: async (...run) => (this.#isOn ? refusal : running.whileStarting(service.runProcedure(...run))),
      retry: async (...job) => (this.#isOn ? refusal : running.whileStarting(service.retry(...job))),
      runSchedule: (...schedule) => running.whileStarting(service.runSchedule(...schedule)),
    }
  }

  start(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#deps.queue.hold(true)
    const { running, queued } = this.state()
    this.#deps.log.info('jobs', `draining: no new work is accepted; parts: ${running} running, ${queued} queued`)
  }

  cancel(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#deps.log.info('jobs', 'draining cancelled: new work is accepted')
    this.#deps.queue.hold(false)
  }

  /** Of new work; undefined while it is accepted. */
  refusal(): Refusal | undefined {
    return this.#isOn ? refusal : undefined
  }

  state(): DrainState {
    const { queue, running } = this.#deps
    return { draining: this.#isOn, running: running.count, queued: queue.depth, running_jobs: running.jobs(listedJobs) }
  }
}
