// Runs a scenario in a world of its own, and says what was broken of what the daemon promises.
import { masksOf } from '../../../host/schedules/recurrence.ts'
import { restorePayload } from '../../harness/lab-images.ts'
import { Accidents } from './accidents.ts'
import type { HostProgram } from './build-host.ts'
import { type Answer, callHost } from './callers.ts'
import { type Ended, findGone, findViolations, type Operation } from './checks.ts'
import { Computer } from './computers.ts'
import { Copies } from './copies.ts'
import { Limits } from './limits.ts'
import { Reservations } from './reservations.ts'
import type { Call, Scenario, Step } from './scenario.ts'
import { repository, setUp } from './set-up.ts'
import { createWorld, type VirtualHost, type World } from './world.ts'

export interface Outcome {
  violations: string[]
  history: string[]
  /** Of virtual time. */
  milliseconds: number
}

/** Milliseconds in which all hosts start. */
const startMilliseconds = 60_000

/** Milliseconds in which computers leave in the end, and in which all hosts list the others then. */
const [failingMilliseconds, listMilliseconds] = [2000, 10_000]

/**
 * Minutes after which it is looked whether everything has ended since it was mended: of what waits for a computer that
 * has left, one after the other expires.
 */
const looks = [1, 1, 2, 4, 8, 16, 32, 64]

export async function runScenario(scenario: Scenario, seed: number, evaluate: () => HostProgram): Promise<Outcome> {
  const names = ['a', 'b', 'c'].slice(0, scenario.hosts)
  const world = createWorld(seed, names, evaluate)
  const fleet = new Fleet(world, scenario)
  try {
    const violations = await fleet.run()
    return { violations, history: world.history, milliseconds: world.time.elapsed }
  } finally {
    for (const host of world.hosts) host.kill()
    world.close()
  }
}

class Fleet {
  readonly #world: World
  readonly #scenario: Scenario
  readonly #copies: Copies
  readonly #computers: Computer[]
  readonly #accidents: Accidents
  readonly #reservations: Reservations
  readonly #limits: Limits
  readonly #operations: Operation[] = []
  #calls = 0

  constructor(world: World, scenario: Scenario) {
    this.#world = world
    this.#scenario = scenario
    this.#copies = new Copies(world, scenario.slots)
    this.#computers = Array.from(
      { length: scenario.computers },
      (_, index) => new Computer(world, `127.1.0.${index + 1}`, this.#copies),
    )
    this.#accidents = new Accidents(world, this.#computers)
    this.#reservations = new Reservations(world)
    this.#limits = new Limits(world)
  }

  async run(): Promise<string[]> {
    const { time } = this.#world
    if (
      !(await this.#await(() => setUp(this.#world, this.#computers, this.#limits, this.#scenario), startMilliseconds))
    )
      return ['the fleet did not start']
    for (const step of this.#scenario.steps) time.at(time.now + step.at, () => this.#take(step))
    await time.run(() => false, this.#scenario.lasts)
    this.#accidents.mend()
    let violations: string[] = []
    await this.#await(async () => {
      violations = await this.#look()
      if (violations.length === 0 && this.#restoreAll()) violations = await this.#look()
      if (violations.length === 0) violations = await this.#loseSome()
    }, Number.POSITIVE_INFINITY)
    return violations
  }

  get #ended(): Ended {
    const [world, computers, operations] = [this.#world, this.#computers, this.#operations]
    return { world, computers, operations, others: [this.#copies, this.#reservations], limits: this.#limits }
  }

  /** What is still broken after some time. */
  async #look(): Promise<string[]> {
    let violations: string[] = []
    for (const minutes of looks) {
      await this.#world.time.wait(minutes * 60_000)
      const isAnswered = this.#calls === 0
      violations = isAnswered ? await findViolations(this.#ended) : ['a call was never answered']
      if (violations.length === 0) break
    }
    return violations
  }

  /** Every slot is free again, so that all computers get one in the end. False: there is nothing to be seen. */
  #restoreAll(): boolean {
    const computers = this.#computers.flatMap(({ socket }, index) => (socket ? index : []))
    if (computers.length === 0 || !this.#scenario.steps.some(({ type }) => type === 'restore')) return false
    const host = this.#world.hosts.findIndex(({ isRunning }) => isRunning)
    this.#take({ at: 0, type: 'restore', host, computers, expires: 7200 })
    const last = this.#operations.at(-1)
    if (last) last.isLast = true
    return true
  }

  /** Computers leave while the database fails. Others may come and go as their reservations end. */
  async #loseSome(): Promise<string[]> {
    const { time, database, chance } = this.#world
    const { faults } = database
    const gone = this.#computers.filter(({ socket }) => socket && chance.isTrue(0.5))
    faults.failing = 0.5
    for (const computer of gone) {
      computer.cut()
      computer.leave()
      await time.wait(failingMilliseconds / gone.length)
    }
    faults.failing = 0
    await time.wait(listMilliseconds)
    return findGone(this.#world, gone)
  }

  /** Whether it has ended in that time. */
  #await(work: () => Promise<void>, milliseconds: number): Promise<boolean> {
    let isDone = false
    let problem: unknown
    work()
      .catch(error => {
        problem = error
      })
      .finally(() => {
        isDone = true
      })
    return this.#world.time.run(() => {
      if (problem !== undefined) throw problem
      return isDone
    }, milliseconds)
  }

  #take(step: Step): void {
    this.#world.note(JSON.stringify(step))
    if ('next' in step) for (const host of [step.host, step.next]) void this.#reserve(host)
    else if ('nth' in step || 'computers' in step) void this.#call(step)
    else this.#accidents.begin(step)
  }

  async #reserve(index: number): Promise<void> {
    const host = this.#world.hosts[index]
    if (!host?.isRunning) return
    this.#calls += 1
    const addr = await this.#reservations.ask(host)
    // It is restarted for its person.
    if (addr !== undefined) this.#copies.interrupt([addr])
    this.#calls -= 1
  }

  async #call(step: Exclude<Call, { next: number }>): Promise<void> {
    const host = this.#world.hosts[step.host]
    if (!host?.isRunning) return
    this.#calls += 1
    const answer = await this.#send(step, host)
    this.#world.note(`answer ${answer.status} ${answer.job}`)
    this.#calls -= 1
  }

  async #send(step: Exclude<Call, { next: number }>, host: VirtualHost): Promise<Answer> {
    const call = (route: string, payload: object) => callHost(this.#world, host, route, payload)
    if (step.type === 'cancel') {
      const job = this.#operations.at(-step.nth)?.answer?.job || 1
      const answer = await call('POST /job/cancel', { id: String(job) })
      const cancelled = this.#operations.find(operation => operation.answer?.job === job)
      if (cancelled && answer.status === 200) cancelled.cancelled = this.#world.time.now
      return answer
    }
    const clients = step.computers.flatMap(index => this.#computers[index]?.addr ?? [])
    if (step.type === 'move') return this.#limits.move(host, clients, step.room)
    if (!('expires' in step) && !('minutes' in step)) {
      const answer = await call(`POST /${step.type}`, { clients })
      this.#copies.interrupt(clients)
      return answer
    }
    const profile = String(this.#operations.length + 1)
    const script = `op-${profile}`
    const operation: Operation = {
      script,
      due: 0,
      answer: undefined,
      cancelled: Number.POSITIVE_INFINITY,
      waits: 'expires' in step && step.expires > 0,
      isLast: false,
    }
    this.#operations.push(operation)
    const params = { run: `echo ${script}`, echo: true }
    if ('expires' in step) {
      const query = step.expires === 0 ? '' : `?queue=1&expires=${step.expires}`
      const [route, payload] =
        step.type === 'run' ? ['shell/run', params] : ['image/restore', { ...restorePayload, repository, profile }]
      const isLimited = 'isLimited' in step && step.isLimited
      const send = isLimited ? this.#limits.call.bind(this.#limits, host) : call
      operation.answer = await send(`POST /${route}${query}`, { clients, ...payload })
    } else {
      const due = new Date(Math.ceil(this.#world.time.now / 60_000 + step.minutes) * 60_000)
      operation.due = due.getTime()
      const scheduled = { command: 'shell-run', params, when: masksOf(due) }
      operation.answer = await call('POST /schedule/command', { clients, ...scheduled })
    }
    return operation.answer
  }
}
