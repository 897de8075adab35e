// Keeps this host's boot files in step with records that other hosts of the fleet change.
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../../stores/store.ts'
import { type Log, message } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { ComputerFiles, FileIdentity } from './computer-files.ts'

interface ClusterFilesDeps {
  events: Events
  store: { computers: Pick<Store['computers'], 'list' | 'findMany'> }
  computerFiles: Pick<ComputerFiles, 'exclusive' | 'saveWithFiles' | 'removeFormer'>
  log: Log
  /** Milliseconds until what has failed is tried again; tests set a shorter time. */
  retry?: number
}

/** Computers whose files are written in one step; meanwhile nobody else of this host can change records. */
const stepComputers = 200

/** Addresses whose records have changed, and whether elsewhere, so that their files are to be written here. */
type Changes = Map<string, boolean>

export class ClusterFiles {
  readonly #deps: ClusterFilesDeps
  /** By address: a record that is gone does not say whose files it had. */
  readonly #rendered = new Map<string, FileIdentity>()
  readonly #waiting: Changes = new Map()
  #isWaitingForAll = false
  #running: Promise<void> | undefined
  readonly #end = new AbortController()

  constructor(deps: ClusterFilesDeps) {
    this.#deps = deps
    deps.events.on(
      (event, isRelayed) => this.#onEvent(event, isRelayed),
      ['computer-added', 'computer-changed', 'computer-removed', 'room-changed', 'repository-changed'],
    )
  }

  /** Writes the files of all computers, some at a time; resolves when that is done. */
  writeAll(): Promise<void> {
    this.#isWaitingForAll = true
    return this.#run()
  }

  /** Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  #onEvent(event: FleetEvent, isRelayed: boolean): void {
    if ('computers' in event) for (const { ip } of event.computers) this.#add(ip, isRelayed)
    else if (event.type === 'computer-changed') {
      for (const addr of event.addrs) this.#add(addr, isRelayed)
      if (event.ip !== undefined) this.#add(event.ip, isRelayed)
    } else this.#isWaitingForAll ||= isRelayed
    void this.#run()
  }

  #add(addr: string, isElsewhere: boolean): void {
    this.#waiting.set(addr, isElsewhere || this.#waiting.get(addr) === true)
  }

  get #hasWork(): boolean {
    return !this.#end.signal.aborted && (this.#isWaitingForAll || this.#waiting.size > 0)
  }

  #run(): Promise<void> {
    if (this.#hasWork) this.#running ??= this.#workAll()
    return this.#running ?? Promise.resolve()
  }

  async #workAll(): Promise<void> {
    const { log, computerFiles, retry = 1000 } = this.#deps
    const { signal } = this.#end
    let isFailing = false
    while (this.#hasWork) {
      try {
        if (this.#isWaitingForAll) await this.#addAll()
        await computerFiles.exclusive(() => this.#step(new Map([...this.#waiting].slice(0, stepComputers))))
        isFailing = false
      } catch (error) {
        if (!isFailing) log.error('boot', `files not written after changes of other hosts: ${message(error)}`, error)
        isFailing = true
        await wait(retry, undefined, { signal }).catch(() => {})
      }
    }
    this.#running = undefined
  }

  async #addAll(): Promise<void> {
    const computers = await this.#deps.store.computers.list()
    this.#isWaitingForAll = false
    // Also those that were removed meanwhile.
    for (const addr of [...computers.map(({ ip }) => ip), ...this.#rendered.keys()]) this.#add(addr, true)
  }

  async #step(changes: Changes): Promise<void> {
    // What changes from now on has an event of its own.
    for (const addr of changes.keys()) this.#waiting.delete(addr)
    try {
      await this.#write(changes)
    } catch (error) {
      for (const [addr, isElsewhere] of changes) this.#add(addr, isElsewhere)
      throw error
    }
  }

  async #write(changes: Changes): Promise<void> {
    const { store, computerFiles, log } = this.#deps
    const records = await store.computers.findMany([...changes.keys()])
    const computers = new Map(records.map(computer => [computer.ip, computer]))
    const toWrite = records.filter(({ ip }) => changes.get(ip))
    const refusal = await computerFiles.saveWithFiles(toWrite, async () => undefined)
    if (refusal) log.warn('boot', `files not written after changes of other hosts: ${refusal.refused}`)
    const rendered = [...changes].flatMap(([addr, isElsewhere]) => {
      const before = isElsewhere && this.#rendered.get(addr)
      const after = computers.get(addr)
      return before ? [{ before, ...(after && { after }) }] : []
    })
    await computerFiles.removeFormer(rendered)
    for (const addr of changes.keys()) {
      const computer = computers.get(addr)
      if (computer) this.#rendered.set(addr, { mac: computer.mac, boot: computer.boot })
      else this.#rendered.delete(addr)
    }
  }
}
