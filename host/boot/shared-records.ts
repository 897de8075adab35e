// Keeps this host's boot files in step with records that other hosts of the fleet change.
import type { Computer, Store } from '../../stores/store.ts'
import { type Log, message } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { ComputerFiles } from './computer-files.ts'

export interface SharedRecordsDeps {
  events: Events
  store: { computers: Pick<Store['computers'], 'list' | 'findMany'> }
  computerFiles: Pick<ComputerFiles, 'exclusive' | 'saveWithFiles' | 'remove'>
  log: Log
  /** Milliseconds until what has failed is tried again; tests set a shorter time. */
  retry?: number
}

/** Computers whose files are written in one step; meanwhile nobody else of this host can change records. */
const stepComputers = 200

/** What the files of a computer were made of. */
type Rendered = Pick<Computer, 'mac' | 'boot'>

export class SharedRecords {
  readonly #deps: SharedRecordsDeps
  /** By address: a record that is gone does not say whose files it had. */
  readonly #rendered = new Map<string, Rendered>()
  /** Addresses whose records have changed. With `write`: elsewhere, so that their files are to be written. */
  readonly #waiting = new Map<string, 'write' | 'note'>()
  #isWaitingForAll = false
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #isClosed = false

  constructor(deps: SharedRecordsDeps) {
    this.#deps = deps
    deps.events.on(
      (event, isRelayed) => this.#onEvent(event, isRelayed ? 'write' : 'note'),
      ['computer-added', 'computer-changed', 'computer-removed', 'room-changed', 'repository-changed'],
    )
  }

  /** Writes the files of all computers, some at a time; resolves when they have been tried once. */
  writeAll(): Promise<void> {
    this.#isWaitingForAll = true
    return this.#run()
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #onEvent(event: FleetEvent, action: 'write' | 'note'): void {
    switch (event.type) {
      case 'computer-added':
      case 'computer-removed':
        this.#add(
          event.computers.map(({ ip }) => ip),
          action,
        )
        break
      case 'computer-changed':
        this.#add(event.ip === undefined ? event.addrs : [...event.addrs, event.ip], action)
        break
      case 'room-changed':
      case 'repository-changed':
        // The computers' own values are the same, so there is nothing to note.
        if (action === 'write') this.#isWaitingForAll = true
    }
    void this.#run()
  }

  get #hasWork(): boolean {
    return !this.#isClosed && (this.#isWaitingForAll || this.#waiting.size > 0)
  }

  #add(addrs: readonly string[], action: 'write' | 'note'): void {
    for (const addr of addrs) if (this.#waiting.get(addr) !== 'write') this.#waiting.set(addr, action)
  }

  #run(): Promise<void> {
    if (!this.#running && this.#hasWork && !this.#timer) this.#running = this.#workAll()
    return this.#running ?? Promise.resolve()
  }

  async #workAll(): Promise<void> {
    const { store, log, retry = 1000 } = this.#deps
    try {
      while (this.#hasWork) {
        if (this.#isWaitingForAll) {
          const computers = await store.computers.list()
          this.#isWaitingForAll = false
          // Also those that were removed meanwhile.
          this.#add([...computers.map(({ ip }) => ip), ...this.#rendered.keys()], 'write')
        }
        await this.#step([...this.#waiting].slice(0, stepComputers))
      }
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) log.error('boot', `files not written from the shared records: ${message(error)}`, error)
      this.#isFailing = true
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        void this.#run()
      }, retry)
    }
    this.#running = undefined
  }

  #step(entries: [addr: string, action: 'write' | 'note'][]): Promise<void> {
    return this.#deps.computerFiles.exclusive(async () => {
      const addrs = entries.map(([addr]) => addr)
      // What changes from now on has an event of its own.
      for (const addr of addrs) this.#waiting.delete(addr)
      try {
        await this.#write(addrs, new Set(entries.flatMap(([addr, action]) => (action === 'write' ? addr : []))))
      } catch (error) {
        for (const [addr, action] of entries) this.#add([addr], action)
        throw error
      }
    })
  }

  async #write(addrs: string[], toWrite: ReadonlySet<string>): Promise<void> {
    const { store, computerFiles, log } = this.#deps
    const computers = new Map((await store.computers.findMany(addrs)).map(computer => [computer.ip, computer]))
    const toRender = [...computers.values()].filter(({ ip }) => toWrite.has(ip))
    const refusal = await computerFiles.saveWithFiles(toRender, async () => undefined)
    if (refusal) log.warn('boot', `files not written from the shared records: ${refusal.refused}`)
    const outdated = [...toWrite].flatMap(addr => this.#outdated(addr, computers.get(addr)))
    if (outdated.length > 0) await computerFiles.remove(outdated)
    for (const addr of addrs) {
      const computer = computers.get(addr)
      if (computer) this.#rendered.set(addr, { mac: computer.mac, boot: computer.boot })
      else this.#rendered.delete(addr)
    }
  }

  /** The files of a computer that is gone or has another mode now, which may have no template, or another hardware address. */
  #outdated(addr: string, after: Rendered | undefined): Rendered[] {
    const before = this.#rendered.get(addr)
    if (!before) return []
    const isSame = after && after.boot === before.boot && after.mac.toLowerCase() === before.mac.toLowerCase()
    return isSame ? [] : [before]
  }
}
