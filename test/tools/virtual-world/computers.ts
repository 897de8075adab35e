// The computers of a simulated fleet: their agents connect to any host, run scripts, and lose connections and power.
import { Agent, type ReplyTable } from '../../../host/test-kit/simulated-agent.ts'
import { live } from '../../harness/remote-labs.ts'
import type { Chance } from './chance.ts'
import type { Copies } from './copies.ts'
import type { VirtualSocket } from './virtual-socket.ts'
import type { World } from './world.ts'

/** Milliseconds until an agent connects again, and until a computer has started. */
const [shortestWait, longestWait] = [500, 5000]
const startMilliseconds = 40_000
const longestCopy = 60_000

/** A script of a simulated caller: `echo op-7`. */
const scriptOf = (body: unknown): string =>
  body instanceof Object && 'run' in body ? String(body.run).replace('echo ', '') : ''

/** A restore has the number of its operation as its profile. */
const copyOf = (body: unknown): string => `op-${body instanceof Object && 'profile' in body ? body.profile : ''}`

export class Computer {
  readonly addr: string
  /** The scripts that it was sent, in order. */
  readonly scripts: string[] = []
  /** When it was sent each, in milliseconds since 1970. */
  readonly times = new Map<string, number>()
  /** Those that it was sent when it had confirmed that it goes down. */
  readonly lost: string[] = []
  readonly violations: string[] = []
  isOff = false
  /** After a silence the daemon's deadlines may have passed: it sends requests without a reply to those before. */
  wasSilent = false
  #agent: Agent | undefined
  /** It has confirmed that it goes down. */
  #leaving: Agent | undefined
  #isGone = false
  #socket: VirtualSocket | undefined
  readonly #world: World
  readonly #chance: Chance
  readonly #copies: Copies

  constructor(world: World, addr: string, copies: Copies) {
    this.#world = world
    this.#copies = copies
    this.#chance = world.chance.fork()
    this.addr = addr
  }

  get socket(): VirtualSocket | undefined {
    return this.#socket?.destroyed === false && !this.#socket.connecting ? this.#socket : undefined
  }

  /** Connects, and again whenever the connection has ended. */
  connect(): void {
    if (this.isOff || this.#agent) return
    const { hosts, network, note } = this.#world
    const { ports, name } = this.#chance.pick(hosts)
    const socket = network.connect({ port: ports.agents, localAddress: this.addr })
    this.#socket = socket
    // `as`: it has what agents use of a socket.
    const agent = new Agent(socket as never, this.addr, { port: 0, auto: this.#replies(name), keep: false })
    this.#agent = agent
    void agent.closed.then(() => {
      const found = agent.violations.filter(each => !this.wasSilent || !each.includes('before the reply'))
      this.violations.push(...found.map(violation => `${this.addr}: ${violation}`))
      if (this.#agent !== agent) return
      note(`${this.addr} has lost its connection to ${name}`)
      this.#agent = undefined
      this.#connectLater(this.#chance.between(shortestWait, longestWait))
    })
  }

  /** The other end is told. */
  cut(): void {
    this.socket?.resetAndDestroy()
  }

  /** The power is gone: nobody is told. It starts again after that time. */
  losePower(milliseconds: number): void {
    this.isOff = true
    this.#agent = undefined
    this.#socket?.vanish()
    this.#world.time.after(milliseconds, () => this.start())
  }

  /** It loses its power, and never starts again. */
  leave(): void {
    this.#isGone = true
    this.losePower(0)
  }

  start(): void {
    if (!this.isOff || this.#isGone) return
    this.isOff = false
    this.connect()
  }

  #connectLater(milliseconds: number): void {
    this.#world.time.after(milliseconds, () => this.connect())
  }

  #replies(host: string): ReplyTable {
    const goDown = (_: unknown, agent: Agent) => {
      agent.answer(200)
      // A script that runs is ended, without a reply.
      agent.clearMissingReplies()
      this.#copies.interrupt([this.addr])
      this.#leaving = agent
      this.#world.time.after(100, () => this.#goDown(agent))
      return undefined
    }
    return {
      '/shell/run': ({ body }) => {
        const script = this.#begin(scriptOf(body))
        return { status: 200, body: { out: script, status: 0 }, delay: this.#chance.between(10, 15_000) }
      },
      '/image/restore': ({ body }) => {
        this.#begin(copyOf(body))
        const delay = this.#chance.between(1000, longestCopy)
        if (this.#socket) this.#world.time.after(delay, this.#copies.begin(this.addr, this.#socket, host))
        return { status: 200, body: { disk: '1', partition: '1', image_id: '1' }, delay }
      },
      '/poweroff': goDown,
      '/reboot': goDown,
      '/refresh': { status: 200, body: live },
      '/stop': () => undefined,
      '*': { status: 200 },
    }
  }

  #begin(script: string): string {
    this.scripts.push(script)
    this.times.set(script, this.#world.time.now)
    this.#world.note(`${this.addr} runs ${script}`)
    if (this.#leaving === this.#agent) this.lost.push(script)
    return script
  }

  #goDown(agent: Agent): void {
    if (this.#agent !== agent) return
    this.isOff = true
    this.#agent = undefined
    this.#socket?.end()
    this.#world.time.after(startMilliseconds, () => this.start())
  }
}
