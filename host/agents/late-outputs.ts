// Outputs of scripts that the store of several hosts did not take: they are stored when it does.
import type { SharedOutputs } from '../cluster/cluster.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { Log } from '../system/log.ts'

const retryMilliseconds = 1000

/** Characters of all that wait; beyond that the oldest are lost. */
const mostCharacters = 32 << 20

export class LateOutputs {
  readonly #store: Pick<SharedOutputs, 'setOutput'>
  readonly #log: Log
  readonly #failures: FailureLog
  /** By address, the oldest first. */
  readonly #waiting = new Map<string, string>()
  readonly #most: number
  #characters = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined

  constructor(store: Pick<SharedOutputs, 'setOutput'>, log: Log, most = mostCharacters) {
    this.#store = store
    this.#log = log
    this.#most = most
    this.#failures = new FailureLog(log, {
      where: 'agents',
      failed: 'outputs of scripts cannot be stored, they are tried again each second',
      succeeded: 'outputs of scripts are stored again',
    })
  }

  add(addr: string, output: string, error: unknown): void {
    this.#failures.failed(error)
    this.#set(addr, output)
    this.#timer ??= setTimeout(() => void this.#retry(), retryMilliseconds).unref()
  }

  /** False when no output of this address waits. */
  replace(addr: string, output: string): boolean {
    if (!this.#waiting.has(addr)) return false
    this.#set(addr, output)
    return true
  }

  remove(addrs: readonly string[]): void {
    for (const addr of addrs) {
      this.#characters -= this.#waiting.get(addr)?.length ?? 0
      this.#waiting.delete(addr)
    }
  }

  #set(addr: string, output: string): void {
    this.remove([addr])
    this.#waiting.set(addr, output)
    this.#characters += output.length
    for (const oldest of this.#waiting.keys()) {
      if (this.#characters <= this.#most) return
      this.remove([oldest])
      this.#lost += 1
    }
  }

  async #retry(): Promise<void> {
    try {
      for (const [addr, output] of this.#waiting) {
        await this.#store.setOutput(addr, output)
        // A newer one may have come meanwhile.
        if (this.#waiting.get(addr) === output) this.remove([addr])
      }
    } catch (error) {
      this.#failures.failed(error)
    }
    this.#timer = undefined
    if (this.#waiting.size > 0) {
      this.#timer = setTimeout(() => void this.#retry(), retryMilliseconds).unref()
      return
    }
    this.#failures.succeeded()
    if (this.#lost > 0) this.#log.warn('agents', `${this.#lost} outputs of scripts are lost, as too many waited`)
    this.#lost = 0
  }
}
