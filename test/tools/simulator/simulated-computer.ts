// One simulated computer: its power state, its operating system, and the connection of its agent.
import { type Agent, connectAgent } from '../../../host/test-kit/simulated-agent.ts'
import { sayHello } from '../../harness/hello.ts'
import type { Endpoint } from './arguments.ts'
import { type ComputerSpec, disk, partitions, type Row, type System } from './computer-data.ts'
import { CopyLog, ImageCache } from './images.ts'
import { type ReplyContext, repliesOf } from './replies.ts'

/** `idle`, `busy` and `in use` (an installed operating system runs) are connected. */
export type State = 'off' | 'booting' | 'disconnected' | 'idle' | 'busy' | 'in use'
/** The daemons of a fleet: an agent whose daemon does not respond goes to the next one. */
export type AgentPort = {
  daemons: readonly Endpoint[]
  /** Of 100 copies of images, how many fail. */
  failingCopies: number
  /** The folder for created images. */
  images: string | undefined
  onError(text: string): void
}

const between = (from: number, to: number) => from + Math.random() * (to - from)

// All in ms.
const bootTime = () => between(3_000, 6_000)
const shutdownTime = 300
const retryTime = () => between(1_000, 3_000)
const loginTime = () => between(3_000, 15_000)
const lessonTime = () => between(60_000, 300_000)

const drop = (agent: Agent) => agent.close().catch(() => {}) // its errors are printed already

export class Computer implements ReplyContext {
  readonly spec: ComputerSpec
  system: System = 'oglive'
  table: Row = disk()
  rows: Row[]
  readonly log: CopyLog
  readonly cache = new ImageCache()
  readonly images: string | undefined
  readonly #agentPort: AgentPort
  #power: 'off' | 'booting' | 'on' = 'off'
  #agent: Agent | undefined
  #timer: NodeJS.Timeout | undefined
  /** Index of the daemon that it connects to. */
  #daemon: number
  #shutdowns = 0 // a connection that was opened before a shutdown must not be used after it

  constructor(spec: ComputerSpec, agentPort: AgentPort) {
    this.spec = spec
    this.rows = partitions(spec)
    this.log = new CopyLog(agentPort.failingCopies)
    this.images = agentPort.images
    this.#agentPort = agentPort
    this.#daemon = spec.number % agentPort.daemons.length
  }

  get state(): State {
    if (this.#power !== 'on') return this.#power
    if (!this.#agent) return 'disconnected'
    if (this.#agent.missingReplies > 0) return 'busy'
    return this.system === 'oglive' ? 'idle' : 'in use'
  }

  /** Boots by its power button or a magic packet: from the network unless `system` is given. */
  boot(after = bootTime(), system: System = 'oglive'): void {
    this.#power = 'booting'
    this.system = system
    this.#schedule(after, () => {
      this.#power = 'on'
      this.#connect()
    })
  }

  /** Shuts down after a moment, so that the reply is sent before the connection closes. */
  shutDown(next?: System): void {
    this.#schedule(shutdownTime, () => {
      this.powerOff()
      if (next) this.boot(undefined, next)
    })
  }

  powerOff(): void {
    clearTimeout(this.#timer)
    this.#power = 'off'
    this.#shutdowns += 1
    if (this.#agent) drop(this.#agent)
    this.#agent = undefined
  }

  async #connect(): Promise<void> {
    const shutdowns = this.#shutdowns
    const { daemons, onError } = this.#agentPort
    const { host, port } = daemons[this.#daemon] ?? { host: '', port: 0 }
    const onViolation = (text: string) => onError(`the daemon broke the protocol: ${text}`)
    const more = { auto: repliesOf(this), keep: false, onViolation }
    const agent = await connectAgent({ host, port, addr: this.spec.ip, ...more }).catch(error => {
      onError(`${host}:${port}: ${error.code ?? error.message}, retrying`)
      this.#daemon = (this.#daemon + 1) % daemons.length
    })
    if (agent && shutdowns === this.#shutdowns) await this.#waitUntilClosed(agent)
    else if (agent) drop(agent)
    if (shutdowns !== this.#shutdowns) return
    this.#agent = undefined
    this.#schedule(retryTime(), () => this.#connect())
  }

  async #waitUntilClosed(agent: Agent): Promise<void> {
    this.#agent = agent
    sayHello(agent, { keys: ['pieces', 'timeout'] })
    if (this.system !== 'oglive') this.#schedule(loginTime(), () => this.#login(agent))
    await agent.closed
  }

  #login(agent: Agent): void {
    const user = `student${this.spec.number}`
    agent.event('start', user)
    this.#schedule(lessonTime(), () => {
      agent.event('stop', user)
      this.#schedule(loginTime(), () => this.#login(agent))
    })
  }

  // One timer is enough: the next action replaces the pending one.
  #schedule(ms: number, action: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(action, ms)
  }
}
