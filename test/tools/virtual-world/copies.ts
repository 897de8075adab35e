// Which computers copy images at the moment: never more than the repository has slots.
import type { VirtualSocket } from './virtual-socket.ts'
import type { World } from './world.ts'

interface Copy {
  addr: string
  /** Of the computer. */
  socket: VirtualSocket
  host: string
  epoch: number | undefined
}

/** Milliseconds after which a copy counts: on a line that was silent, the restore and what has ended it come together. */
const shortestCopy = 100

export class Copies {
  readonly violations: string[] = []
  readonly #running = new Set<Copy>()
  readonly #database: World['database']
  readonly #time: World['time']
  readonly #slots: number

  constructor({ database, time }: Pick<World, 'database' | 'time'>, slots: number) {
    this.#database = database
    this.#time = time
    this.#slots = slots
  }

  /** Returns what ends it. */
  begin(addr: string, socket: VirtualSocket, host: string): () => void {
    const copy = { addr, socket, host, epoch: this.#database.epochOf(host) }
    this.#running.add(copy)
    this.#time.after(shortestCopy, () => this.#count())
    return () => void this.#running.delete(copy)
  }

  #count(): void {
    for (const each of this.#running) if (!this.#isKnown(each)) this.#running.delete(each)
    const addrs = Array.from(this.#running, each => each.addr)
    if (addrs.length > this.#slots) this.violations.push(`${addrs.join(' ')} copy at once, with ${this.#slots} slots`)
  }

  /** These computers go down: their copies have ended for the daemon when it has sent that, before it arrives. */
  interrupt(addrs: readonly string[]): void {
    for (const copy of this.#running) if (addrs.includes(copy.addr)) this.#running.delete(copy)
  }

  /** A connection that either end has lost, or whose host the others have given up, takes no slot any more. */
  #isKnown({ socket, host, epoch }: Copy): boolean {
    const isConnected = !socket.destroyed && socket.peer?.destroyed === false
    return isConnected && this.#database.epochOf(host) === epoch
  }
}
