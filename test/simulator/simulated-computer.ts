// One simulated computer: its power, the system that it runs, and the connection of that system's agent.
import { type Agent, connectAgent } from '../harness/simulated-agent.ts'
import type { Seat } from './address-plan.ts'
import { disk, partitions, type Row } from './disk-layout.ts'
import { answersOf } from './replies.ts'

export type System = 'oglive' | 'linux' | 'windows'
/** `idle`, `busy` and `in use` (an operating system runs) are connected. */
export type State = 'off' | 'booting' | 'lost' | 'idle' | 'busy' | 'in use'
export type Line = { host: string; port: number; trouble(what: string): void }

const between = (from: number, to: number) => from + Math.random() * (to - from)

// All in ms.
const bootTime = () => between(3_000, 6_000)
const shutdownTime = 300
const retryTime = () => between(1_000, 3_000)
const loginTime = () => between(3_000, 15_000)
const lessonTime = () => between(60_000, 300_000)

const drop = (agent: Agent) => agent.close().catch(() => {}) // complaints have been told

export class Computer {
  readonly seat: Seat
  system: System = 'oglive'
  table: Row = disk()
  rows: Row[]
  readonly #line: Line
  #power: 'off' | 'booting' | 'on' = 'off'
  #agent: Agent | undefined
  #timer: NodeJS.Timeout | undefined
  #life = 0 // counts shutdowns: what was begun before one must not go on after it

  constructor(seat: Seat, line: Line) {
    this.seat = seat
    this.rows = partitions(seat)
    this.#line = line
  }

  get state(): State {
    if (this.#power !== 'on') return this.#power
    if (!this.#agent) return 'lost'
    if (this.#agent.owed > 0) return 'busy'
    return this.system === 'oglive' ? 'idle' : 'in use'
  }

  /** From off, by its button or a magic packet: always from the network, whatever ran before. */
  boot(after = bootTime(), system: System = 'oglive'): void {
    this.#power = 'booting'
    this.system = system
    this.#later(after, () => {
      this.#power = 'on'
      this.#connect()
    })
  }

  /** Goes down a moment later, so that the answer is out before the connection ends. */
  shutDown(next?: System): void {
    this.#later(shutdownTime, () => {
      this.leave()
      if (next) this.boot(undefined, next)
    })
  }

  leave(): void {
    clearTimeout(this.#timer)
    this.#power = 'off'
    this.#life += 1
    if (this.#agent) drop(this.#agent)
    this.#agent = undefined
  }

  async #connect(): Promise<void> {
    const life = this.#life
    const { host, port, trouble } = this.#line
    const complain = (what: string) => trouble(`the daemon broke the protocol: ${what}`)
    const more = { auto: answersOf(this), keep: false, complain }
    const agent = await connectAgent({ host, port, addr: this.seat.ip, ...more }).catch(error => {
      trouble(`${host}:${port}: ${error.code ?? error.message}, trying again`)
    })
    if (agent && life === this.#life) await this.#stay(agent)
    else if (agent) drop(agent)
    if (life !== this.#life) return
    this.#agent = undefined
    this.#later(retryTime(), () => this.#connect())
  }

  async #stay(agent: Agent): Promise<void> {
    this.#agent = agent
    if (this.system !== 'oglive') this.#later(loginTime(), () => this.#login(agent))
    await agent.closed
  }

  #login(agent: Agent): void {
    const user = `student${this.seat.number}`
    agent.event('start', user)
    this.#later(lessonTime(), () => {
      agent.event('stop', user)
      this.#later(loginTime(), () => this.#login(agent))
    })
  }

  // One timer is enough: whatever is planned next ends what was planned before.
  #later(ms: number, what: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(what, ms)
  }
}
