// Sends the file of an image to several computers at once, by udp-sender: one transmission at a time.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Options } from '../../config/options.ts'
import type { Log } from '../../log/log.ts'
import { imageFile } from '../image-folder.ts'
import type { WatchedStep } from '../imaging-watch.ts'

/** A copy that may come to several computers at once. */
export interface SharedCopy {
  /** Of the image. */
  name: string
  /** Undefined when the image comes to this computer alone. */
  step: WatchedStep | undefined
}

/** Where computers receive the file; UDP. */
export interface Transmission {
  address: string
  port: number
}

/** How many computers are still to be sent the step, and how many of all may run it at once. */
export type QueueOf = (step: WatchedStep) => Promise<{ queued: number; most: number }>

interface MulticastDeps {
  options: Options['images']['transfer']['multicast']
  /** Of the images. */
  directory: string
  log: Log
  /** All that run. */
  copies(): Iterable<SharedCopy>
  queueOf: QueueOf
}

interface Joined {
  resolve(transmission: Transmission | undefined): void
  reject(error: Error): void
}

export const isMulticast = (payload: unknown): boolean =>
  payload instanceof Object && 'type' in payload && /^MULTICAST(-CACHE)?$/.test(String(payload.type))

/** The computers that wait for one image. */
interface Group {
  name: string
  /** The address of this server that they reach: it sends from there. */
  from: string
  joined: Map<SharedCopy, Joined>
  timer: NodeJS.Timeout
}

/** Seconds that the program waits for the computers: all have said that they are ready. */
const [connectSeconds, startSeconds] = [10, 30]

/** Questions without an answer after which the others go on without a computer: the first ten take no time, then one a second. */
const retries = 20

export class Multicast {
  readonly #deps: MulticastDeps
  /** Those that have got a transmission, and may not have ended. */
  readonly #served = new WeakSet<SharedCopy>()
  /** By the name of the image. */
  readonly #groups = new Map<string, Group>()
  #sending: { child: ChildProcess; copies: Set<SharedCopy> } | undefined

  constructor(deps: MulticastDeps) {
    this.#deps = deps
  }

  /**
   * Resolves when the transmission begins; to undefined when the image has to come to this computer alone. Rejects with the
   * reason when it cannot begin. `from`: the address of this server that the computer has reached.
   */
  join(copy: SharedCopy, from: string): Promise<Transmission | undefined> {
    if (!copy.step) return Promise.resolve(undefined)
    const group = this.#groups.get(copy.name) ?? this.#open(copy.name, from)
    return new Promise((resolve, reject) => {
      if (group.from !== from) return resolve(undefined)
      group.joined.set(copy, { resolve, reject })
      void this.#startIfComplete(group)
    })
  }

  /** To be called when the copy has ended, and when the image comes to this computer alone. */
  leave(copy: SharedCopy): void {
    if (!copy.step) return
    copy.step = undefined
    const group = this.#groups.get(copy.name)
    group?.joined.get(copy)?.resolve(undefined)
    group?.joined.delete(copy)
    if (this.#sending?.copies.delete(copy) && this.#sending.copies.size === 0) this.#sending.child.kill('SIGKILL')
    this.look()
  }

  /** To be called when fewer computers may be expected than before. */
  look(): void {
    for (const group of this.#groups.values()) void this.#startIfComplete(group)
  }

  close(): void {
    for (const group of this.#groups.values()) this.#dismiss(group)
    this.#sending?.child.kill('SIGKILL')
  }

  #open(name: string, from: string): Group {
    const timer = setTimeout(() => this.#start(group), this.#deps.options.wait_seconds * 1000)
    const group: Group = { name, from, joined: new Map(), timer }
    this.#groups.set(name, group)
    return group
  }

  /** Starts unless others are expected, or another image is being sent. */
  async #startIfComplete(group: Group): Promise<void> {
    // A store that cannot be read leaves it to the timer.
    const expected = await this.#countExpected(group.name).catch(() => Number.POSITIVE_INFINITY)
    const isWaiting = this.#groups.get(group.name) === group
    if (isWaiting && !this.#sending && group.joined.size >= expected) this.#start(group)
  }

  /** All that run it and have not got it, and of those that are queued as many as may run it then. */
  async #countExpected(image: string): Promise<number> {
    const steps = new Map(this.#stepsOf(image).map(step => [`${step.job.id}.${step.index}`, step]))
    const queues = await Promise.all(Array.from(steps.values(), this.#deps.queueOf))
    const queued = queues.reduce((sum, queue) => sum + queue.queued, 0)
    const served = [...this.#deps.copies()].filter(copy => copy.name === image && this.#served.has(copy)).length
    const running = this.#stepsOf(image).length
    return Math.max(running, Math.min(running + queued, ...queues.map(({ most }) => most - served)))
  }

  /** Of each copy that runs, may be shared, and has not got a transmission. */
  #stepsOf(image: string): WatchedStep[] {
    return [...this.#deps.copies()].flatMap(copy =>
      copy.step && copy.name === image && !this.#served.has(copy) ? [copy.step] : [],
    )
  }

  #dismiss({ name, timer, joined }: Group): void {
    clearTimeout(timer)
    this.#groups.delete(name)
    for (const { resolve } of joined.values()) resolve(undefined)
  }

  #start(group: Group): void {
    if (group.joined.size < 2 || this.#sending) return this.#dismiss(group)
    const { name, joined, timer } = group
    clearTimeout(timer)
    this.#groups.delete(name)
    const began = performance.now()
    const child = spawn('udp-sender', this.#argumentsFor(group), { stdio: ['ignore', 'ignore', 'pipe'] })
    // Also when the server can open no more files: then the child has no streams.
    child.on('error', error => {
      this.#sending = undefined
      for (const { reject } of joined.values()) reject(error)
    })
    this.#sending = { child, copies: new Set(joined.keys()) }
    for (const copy of joined.keys()) this.#served.add(copy)
    const { address, port } = this.#deps.options
    child.on('spawn', () => {
      for (const { resolve } of joined.values()) resolve({ address, port })
    })
    let lines: string[] = []
    child.stderr?.setEncoding('utf8').on('data', text => {
      lines = [...lines, ...text.split(/[\r\n]+/)].filter(line => line.trim() !== '').slice(-4)
    })
    child.on('close', (code, signal) => {
      this.#sending = undefined
      const seconds = Math.round((performance.now() - began) / 1000)
      const { log } = this.#deps
      const what = `image ${name} to ${joined.size} computers at once`
      if (code === 0) log.info('images', `${what}: sent in ${seconds} s`)
      else
        log.warn('images', `${what}: udp-sender ended with ${signal ?? code} after ${seconds} s: ${lines.join('; ')}`)
      this.look()
    })
  }

  #argumentsFor({ name, from, joined }: Group): string[] {
    const { directory, options } = this.#deps
    const { address, port, rate_mbit, ttl } = options
    const values = {
      file: join(directory, imageFile(name)),
      interface: from,
      portbase: port,
      'mcast-rdv-address': address,
      'mcast-data-address': address,
      'max-bitrate': `${rate_mbit}m`,
      ttl,
      'min-receivers': joined.size,
      'max-wait': connectSeconds,
      'start-timeout': startSeconds,
      'retries-until-drop': retries,
      // Again and again, in milliseconds: a computer whose request was lost asks again then.
      'rexmit-hello-interval': 500,
    }
    const flags = ['--nokbd', '--no-progress', '--nopointopoint']
    return [...flags, ...Object.entries(values).flatMap(([key, value]) => [`--${key}`, String(value)])]
  }
}
