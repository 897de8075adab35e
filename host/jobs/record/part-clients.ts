// The client and the step of each part of a job that has not ended, in little memory.
import type { Part } from '../../../stores/store.ts'

type PartOfClient = Pick<Part, 'client' | 'step'>

/** Above all steps. */
const factor = 2 ** 22

export class PartClients {
  /** By the numbers of the parts: the position of the client in the list, and the step; -1 for none. */
  #parts: number[] = []
  #addrs: string[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Of all parts that were added, also of those that have ended. */
  addrs(): string[] {
    return [...new Set(this.#addrs)]
  }

  add(index: number, { client, step }: PartOfClient): void {
    if ((this.#parts[index] ?? -1) >= 0) return
    if (this.#addrs.at(-1) !== client) this.#addrs.push(intern(client))
    while (this.#parts.length < index) this.#parts.push(-1)
    this.#parts[index] = (this.#addrs.length - 1) * factor + step
    this.#size += 1
  }

  /** Removes the part. */
  take(index: number): PartOfClient | undefined {
    const part = this.#parts[index] ?? -1
    if (part < 0) return undefined
    this.#parts[index] = -1
    this.#size -= 1
    return { client: this.#addrs[Math.floor(part / factor)] ?? '', step: part % factor }
  }
}

/** So many addresses are remembered at once. */
const mostAddresses = 20_000

const addresses = new Map<string, string>()

/** Equal addresses are in memory once: each request has its own. */
function intern(addr: string): string {
  const known = addresses.get(addr)
  if (known !== undefined) return known
  if (addresses.size >= mostAddresses) addresses.clear()
  addresses.set(addr, addr)
  return addr
}
