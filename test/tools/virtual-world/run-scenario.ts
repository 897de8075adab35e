// Runs a scenario in a world of its own, and says what was broken of what the daemon promises.
import { masksOf } from '../../../host/schedules/recurrence.ts'
import type { HostProgram } from './build-host.ts'
import { type Answer, callHost } from './callers.ts'
import { findViolations, type Operation } from './checks.ts'
import { Computer } from './computers.ts'
import type { Scenario, Step } from './scenario.ts'
import type { VirtualSocket } from './virtual-socket.ts'
import { createWorld, type VirtualHost, type World } from './world.ts'

export interface Outcome {
  violations: string[]
  history: string[]
  /** Of virtual time. */
  milliseconds: number
}

/** Milliseconds in which all hosts start. */
const startMilliseconds = 60_000

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
  readonly #computers: Computer[]
  readonly #operations: Operation[] = []
  #calls = 0

  constructor(world: World, scenario: Scenario) {
    this.#world = world
    this.#scenario = scenario
    this.#computers = Array.from(
      { length: scenario.computers },
      (_, index) => new Computer(world, `127.1.0.${index + 1}`),
    )
  }

  async run(): Promise<string[]> {
    const { time } = this.#world
    if (!(await this.#await(() => this.#begin(), startMilliseconds))) return ['the fleet did not start']
    for (const step of this.#scenario.steps) time.at(time.now + step.at, () => this.#take(step))
    await time.run(() => false, this.#scenario.lasts)
    this.#mend()
    const ended = { world: this.#world, computers: this.#computers, operations: this.#operations }
    let violations: string[] = []
    await this.#await(async () => {
      for (const minutes of looks) {
        await time.wait(minutes * 60_000)
        violations = this.#calls > 0 ? ['a call was never answered'] : await findViolations(ended)
        if (violations.length === 0) return
      }
    }, Number.POSITIVE_INFINITY)
    return violations
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

  async #begin(): Promise<void> {
    const { hosts } = this.#world
    for (const host of hosts) await host.start()
    const [first] = hosts
    if (!first) return
    await this.#add(first, 'POST /center/add', { name: 'Center' })
    await this.#add(first, 'POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
    for (const [index, { addr }] of this.#computers.entries()) {
      const mac = `0200000000${(index + 1).toString(16).padStart(2, '0')}`
      await this.#add(first, 'POST /client/add', { name: `pc-${index + 1}`, ip: addr, mac, room: 1 })
    }
    for (const computer of this.#computers) computer.connect()
  }

  async #add(host: VirtualHost, route: string, payload: object): Promise<void> {
    const { status, text } = await callHost(this.#world, host, route, payload)
    if (status !== 200) throw new Error(`${route}: ${status} ${text}`)
  }

  /** Everything works from now on. */
  #mend(): void {
    const { database, hosts, network, note } = this.#world
    note('everything is mended')
    Object.assign(database.faults, { away: new Set(), failing: 0, losing: 0 })
    for (const { way } of network.sockets) way.heal()
    for (const host of hosts) if (!host.life && !host.isLost) void host.start()
  }

  #take(step: Step): void {
    this.#world.note(JSON.stringify(step))
    if ('nth' in step || 'computers' in step) void this.#call(step)
    else if ('computer' in step) this.#harmComputer(step)
    else if (step.type === 'lose-host') this.#world.hosts[step.host]?.lose()
    else if ('host' in step) this.#harmHost(step)
    else this.#harmDatabase(step)
  }

  async #call(step: Extract<Step, { nth: number } | { computers: number[] }>): Promise<void> {
    const host = this.#world.hosts[step.host]
    if (!host?.isRunning) return
    this.#calls += 1
    const answer = await this.#send(step, host)
    this.#world.note(`answer ${answer.status} ${answer.job}`)
    this.#calls -= 1
  }

  async #send(step: Extract<Step, { nth: number } | { computers: number[] }>, host: VirtualHost): Promise<Answer> {
    const call = (route: string, payload: object) => callHost(this.#world, host, route, payload)
    if (step.type === 'cancel') {
      const job = this.#operations.at(-step.nth)?.answer?.job
      return call('POST /job/cancel', { id: String(job || 1) })
    }
    const clients = step.computers.flatMap(index => this.#computers[index]?.addr ?? [])
    if (step.type !== 'run' && step.type !== 'plan') return call(`POST /${step.type}`, { clients })
    const script = `op-${this.#operations.length + 1}`
    const operation: Operation = { script, due: 0, answer: undefined }
    this.#operations.push(operation)
    const params = { run: `echo ${script}`, echo: true }
    if (step.type === 'run') {
      const query = step.expires === 0 ? '' : `?queue=1&expires=${step.expires}`
      operation.answer = await call(`POST /shell/run${query}`, { clients, ...params })
    } else {
      const due = new Date(Math.ceil(this.#world.time.now / 60_000 + step.minutes) * 60_000)
      operation.due = due.getTime()
      const scheduled = { command: 'shell-run', params, when: masksOf(due) }
      operation.answer = await call('POST /schedule/command', { clients, ...scheduled })
    }
    return operation.answer
  }

  #harmComputer(step: Extract<Step, { computer: number }>): void {
    const computer = this.#computers[step.computer]
    if (!('lasts' in step)) computer?.[step.type]()
    else if (step.type === 'lose-power') computer?.losePower(step.lasts)
    else if (computer?.socket) {
      computer.wasSilent = true
      this.#mute(computer.socket, step.lasts)
    }
  }

  /** Nothing arrives in one direction, or in both, for that time. */
  #mute({ way, peer }: VirtualSocket, milliseconds: number): void {
    const { chance, time } = this.#world
    const ways = [way, ...(peer ? [peer.way] : [])]
    const silent = chance.isTrue(0.5) ? ways : [chance.pick(ways)]
    for (const each of silent) each.isSilent = true
    time.after(milliseconds, () => {
      for (const each of silent) each.heal()
    })
  }

  #harmHost({ type, host: index, lasts }: Extract<Step, { host: number; lasts: number }>): void {
    const { hosts, time, database } = this.#world
    const host = hosts[index]
    if (!host?.life) return
    const { life, name } = host
    if (type === 'pause') {
      life.pausedUntil = time.now + lasts
    } else if (type === 'no-database') {
      database.faults.away.add(name)
      time.after(lasts, () => database.faults.away.delete(name))
    } else {
      if (type === 'kill') host.kill()
      else void host.stop()
      time.after(lasts, () => {
        // One that stops slowly is killed, as systemd does.
        if (host.life === life) host.kill()
        if (!host.life && !host.isLost) void host.start()
      })
    }
  }

  #harmDatabase({ type, lasts }: { type: 'failing-database' | 'lost-replies'; lasts: number }): void {
    const { faults } = this.#world.database
    const name = type === 'failing-database' ? 'failing' : 'losing'
    faults[name] = 0.3
    this.#world.time.after(lasts, () => {
      faults[name] = 0
    })
  }
}
