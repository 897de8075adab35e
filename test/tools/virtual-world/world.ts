// The world of one seed: time, chance, network and database, which the hosts find in place of Node's.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../runner/bundled-file.ts'
import type { HostProgram } from './build-host.ts'
import { type Chance, createChance, installChance } from './chance.ts'
import { installNetwork } from './install-network.ts'
import { installTime } from './install-time.ts'
import { VirtualDatabase } from './virtual-database.ts'
import { VirtualNetwork } from './virtual-network.ts'
import { setStoreSource } from './virtual-store.ts'
import { createLife, type Life, runIn, VirtualTime } from './virtual-time.ts'

/** A Monday morning. */
export const began = Date.UTC(2026, 0, 5, 6)

/** Lines of a stack that depend on what Node does just then. */
const nodeFrames = /\n +at [^\n]*node:internal[^\n]*/g

export const token = 'the-token'

/** In memory: with many computers half of the real time would be that of their boot files on a disk. */
const folders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export interface World {
  time: VirtualTime
  chance: Chance
  network: VirtualNetwork
  database: VirtualDatabase
  hosts: VirtualHost[]
  /** What has happened, a line each: the same for the same seed. */
  history: string[]
  /** What the hook `follow-events` has got, in that order. */
  delivered: string[]
  note(line: string): void
  close(): void
}

export function createWorld(seed: number, names: readonly string[], evaluate: () => HostProgram): World {
  const chance = createChance(seed)
  const time = new VirtualTime(began)
  const network = new VirtualNetwork(time, chance.fork())
  const database = new VirtualDatabase(time, chance.fork())
  installChance(chance.fork())
  installTime(time)
  installNetwork(network)
  setStoreSource({ open: () => database.open(), openCluster: () => database.openCluster() })
  const folder = mkdtempSync(join(folders, 'fleet-world-'))
  const history: string[] = []
  const delivered: string[] = []
  const note = (line: string) => void history.push(`${(time.elapsed / 1000).toFixed(3)} ${line}`)
  const isCluster = names.length > 1
  const hosts = names.map(
    (name, at) => new VirtualHost({ name, at, isCluster, folder, network, evaluate, note, delivered }),
  )
  const close = () => rmSync(folder, { recursive: true, force: true })
  return { time, chance, network, database, hosts, history, delivered, note, close }
}

interface HostDeps {
  name: string
  at: number
  isCluster: boolean
  folder: string
  network: VirtualNetwork
  evaluate(): HostProgram
  delivered: string[]
  note(line: string): void
}

type Host = Awaited<ReturnType<HostProgram['startHost']>>

/** One computer with a daemon, which may be killed, paused and started again. */
export class VirtualHost {
  readonly name: string
  readonly ports: { rest: number; agents: number }
  life: Life | undefined
  host: Host | undefined
  /** Milliseconds since 1970. */
  pausedUntil = 0
  /** It is never started again. */
  isLost = false
  readonly #deps: HostDeps

  constructor(deps: HostDeps) {
    this.#deps = deps
    this.name = deps.name
    this.ports = { rest: 8000 + deps.at, agents: 9000 + deps.at }
  }

  get isRunning(): boolean {
    return this.host !== undefined
  }

  /** Resolves when it listens. A start that fails is noted, and resolves too. */
  async start(): Promise<void> {
    const { note, evaluate, delivered } = this.#deps
    const life = createLife(this.name)
    this.life = life
    note(`${this.name} starts`)
    const { startHost, loadOptions, createLog } = evaluate()
    const write = (line: string) => {
      if (life.isDead) return
      note(`${this.name} ${line.trimEnd().replace(/^\S+ /, '').replaceAll(nodeFrames, '')}`)
      const [, names] = /\/follow-events\.ts: delivered (.*)$/m.exec(line) ?? []
      if (names !== undefined) delivered.push(...names.split(', '))
    }
    try {
      const { options } = loadOptions(this.#writeOptions())
      const host = await runIn(life, () => startHost({ options, token: { value: token }, log: createLog(write) }))
      if (!life.isDead) this.host = host
    } catch (error) {
      if (life.isDead) return
      note(`${this.name} does not start: ${error instanceof Error ? error.message : error}`)
      this.kill()
    }
  }

  /** As `kill -9`. */
  kill(): void {
    const { life } = this
    if (!life) return
    this.#deps.note(`${this.name} is killed`)
    life.isDead = true
    this.host = undefined
    this.life = undefined
    this.#deps.network.end(life)
    for (const end of life.onEnd) end()
  }

  lose(): void {
    this.isLost = true
    this.kill()
  }

  /** As SIGTERM. */
  async stop(): Promise<void> {
    const { life, host } = this
    if (!life || !host) return
    this.#deps.note(`${this.name} stops`)
    this.host = undefined
    await runIn(life, () => host.stop())
    if (!life.isDead) this.kill()
  }

  #writeOptions(): string {
    const { name, folder, isCluster } = this.#deps
    const file = join(folder, `${name}.json`)
    const options = {
      rest: { port: this.ports.rest },
      agents: { ip: '0.0.0.0', port: this.ports.agents },
      store: { adapter: join(root, 'test/tools/virtual-world/virtual-store.ts'), path: `./data-${name}` },
      repository: { directory: './images' },
      images: { log: { off: true } },
      commands: [join(root, 'test/tools/virtual-world/modules')],
      ...(isCluster && { cluster: { name } }),
    }
    writeFileSync(file, JSON.stringify(options))
    return file
  }
}
