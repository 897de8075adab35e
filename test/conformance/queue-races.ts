// Calls on several hosts, and a client that moves between them, while the store is asked and answers in any sequence.
import fc from 'fast-check'
import { equal } from 'uvu/assert'
import type { ClusterJobs } from '../../stores/store.ts'
import type { JobsLab } from '../harness/jobs-lab.ts'
import { everyone, type LabHost } from '../harness/lab-host.ts'
import { pollUntil } from '../harness/poll.ts'
import { checkRandom } from '../harness/random-runs.ts'
import { type HostTests, one } from './several-hosts-context.ts'

/** The host calls the command, cancels the newest job, or gets the client's connection. */
interface Step {
  type: 'run' | 'cancel' | 'move'
  host: string
  /** So many other things may happen before. */
  waits: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    type: fc.constantFrom('run', 'run', 'cancel', 'move'),
    host: fc.constantFrom('a', 'b', 'c'),
    waits: fc.nat(30),
  }),
  { minLength: 4, maxLength: 12, size: 'max' },
)

/** While a scheduler is set it decides when each call of the hosts' work begins, and when its answer comes. */
function scheduleWork(hosts: LabHost[]): { scheduler: fc.Scheduler | undefined } {
  const races: { scheduler: fc.Scheduler | undefined } = { scheduler: undefined }
  // Those of a store in memory share one.
  for (const work of new Set<ClusterJobs>(hosts.map(host => host.work))) {
    // Not what a store in memory has around them.
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(work))) {
      Reflect.set(work, name, async (...args: unknown[]) => {
        await races.scheduler?.schedule(Promise.resolve(), `${name} begins`)
        const result = await Reflect.apply(method, work, args)
        await races.scheduler?.schedule(Promise.resolve(), `${name} is answered`)
        return result
      })
    }
  }
  return races
}

class Race {
  readonly #lab: JobsLab
  readonly #scheduler: fc.Scheduler
  readonly #before: number
  readonly #jobs: number[] = []
  /** Acknowledged. */
  readonly #cancelled: number[] = []

  constructor(lab: JobsLab, scheduler: fc.Scheduler) {
    this.#lab = lab
    this.#scheduler = scheduler
    this.#before = this.#sent()
  }

  async run(drawn: Step[]): Promise<void> {
    const calls = Promise.all(drawn.map(step => this.#take(step)))
    await this.#scheduler.waitFor(this.#work(calls))
    const finished = this.#finished()
    for (const job of this.#jobs) equal(finished.filter(each => each === job).length, 1)
    const states = (await this.#states()).flat()
    const wereSent = states.filter(state => state === 'success' || state === 'failure').length
    equal([this.#sent() - this.#before, states.length], [wereSent, this.#jobs.length])
    for (const job of this.#cancelled) equal(await this.#lab.states(job), ['cancelled'])
  }

  async #take({ type, host: name, waits }: Step): Promise<void> {
    const host = this.#lab.hosts.find(each => each.name === name)
    if (!host) throw new Error(`expected a host, got ${name}`)
    for (let times = 0; times <= waits; times += 1) {
      await new Promise(setImmediate)
      await this.#scheduler.schedule(Promise.resolve(), `${type} ${name}`)
    }
    const job = this.#jobs.at(-1)
    if (type === 'move') {
      host.disconnect(one)
      host.connect(one)
    }
    if (type === 'run') this.#jobs.push(await host.run('shell-run', [one], { queue: '1' }))
    if (type === 'cancel' && job !== undefined) {
      const count = await host.jobs.service.cancel(job, { caller: '', rights: everyone })
      if (count === 1) this.#cancelled.push(job)
    }
  }

  /** The client replies to what it gets, until everything has ended. */
  async #work(calls: Promise<unknown>): Promise<void> {
    let isCalled = false
    const called = calls.finally(() => {
      isCalled = true
    })
    await pollUntil(async () => {
      await this.#scheduler.schedule(Promise.resolve(), 'client')
      for (const host of this.#lab.hosts) if (host.isWorking(one)) host.reply(one)
      const finished = this.#finished()
      return isCalled && this.#jobs.every(job => finished.includes(job))
    })
    await called
  }

  #sent(): number {
    return this.#lab.hosts.flatMap(({ sent }) => sent).filter(each => each.endsWith('shell-run')).length
  }

  #finished(): number[] {
    return this.#lab.feed.flatMap(({ event }) => (event.type === 'job-finished' ? event.job : []))
  }

  #states(): Promise<string[][]> {
    return Promise.all(this.#jobs.map(job => this.#lab.states(job)))
  }
}

export const queueRaces: HostTests = {
  'in whichever sequence the store answers, a part is sent at most once, and ends once': async ({ lab, a, b, c }) => {
    const races = scheduleWork([a, b, c])
    a.connect(one)
    await checkRandom(
      fc.asyncProperty(fc.scheduler(), steps, async (scheduler, drawn) => {
        races.scheduler = scheduler
        await new Race(lab, scheduler).run(drawn)
        races.scheduler = undefined
        await scheduler.waitAll()
      }),
      20,
    )
  },
}
