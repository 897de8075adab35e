// Writes outputs of scripts to the store of several hosts: those that come during a write together, and those that it
// did not take again each second.
import type { SharedOutputs } from '../cluster/cluster.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { Log } from '../log/log.ts'
import { endOfTick } from '../system/time-slices.ts'

const retryMilliseconds = 1000

/** Outputs of one write. */
const batchSize = 1000

/** Characters of all that wait; beyond that the oldest are lost. */
const mostCharacters = 32 << 20

interface WaitingOutput {
  output: string
  /** Called when a write with it, or with a newer one in its place, has ended. */
  tried: (() => void)[]
}

export class OutputWriter {
  readonly #store: Pick<SharedOutputs, 'setOutputs'>
  readonly #log: Log
  readonly #failures: FailureLog
  /** By address, the oldest first. */
  readonly #waiting = new Map<string, WaitingOutput>()
  readonly #most: number
  #characters = 0
  #lost = 0
  #isWriting = false
  #timer: NodeJS.Timeout | undefined

  constructor(store: Pick<SharedOutputs, 'setOutputs'>, log: Log, most = mostCharacters) {
    this.#store = store
    this.#log = log
    this.#most = most
    this.#failures = new FailureLog(log, {
      where: 'agents',
      failed: 'outputs of scripts cannot be stored, they are tried again each second',
      succeeded: 'outputs of scripts are stored again',
    })
  }

  /** Resolves when it is stored, or when the first attempt has failed: then it is stored later. */
  set(addr: string, output: string): Promise<void> {
    return new Promise(resolve => {
      const tried = this.#waiting.get(addr)?.tried ?? []
      this.#remove(addr)
      this.#waiting.set(addr, { output, tried: [...tried, resolve] })
      this.#characters += output.length
      this.#dropOldest()
      void this.#write()
    })
  }

  /** What waits of these is not stored any more. */
  remove(addrs: readonly string[]): void {
    for (const addr of addrs) {
      for (const tried of this.#waiting.get(addr)?.tried ?? []) tried()
      this.#remove(addr)
    }
  }

  #remove(addr: string): void {
    this.#characters -= this.#waiting.get(addr)?.output.length ?? 0
    this.#waiting.delete(addr)
  }

  #dropOldest(): void {
    for (const oldest of this.#waiting.keys()) {
      if (this.#characters <= this.#most) return
      this.remove([oldest])
      this.#lost += 1
    }
  }

  async #write(): Promise<void> {
    // After a failure what has come meanwhile is tried with the rest.
    if (this.#isWriting || this.#timer) return
    this.#isWriting = true
    await endOfTick()
    let isStored = true
    while (isStored && this.#waiting.size > 0) isStored = await this.#writeBatch()
    this.#isWriting = false
    if (isStored) this.#reportSuccess()
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        void this.#write()
      }, retryMilliseconds).unref()
    }
  }

  async #writeBatch(): Promise<boolean> {
    const batch = [...this.#waiting].slice(0, batchSize)
    const isStored = await this.#store.setOutputs(new Map(batch.map(([addr, { output }]) => [addr, output]))).then(
      () => true,
      error => {
        this.#failures.failed(error)
        return false
      },
    )
    for (const [addr, waiting] of batch) {
      for (const tried of waiting.tried.splice(0)) tried()
      // A newer one may have come meanwhile.
      if (isStored && this.#waiting.get(addr) === waiting) this.#remove(addr)
    }
    return isStored
  }

  #reportSuccess(): void {
    this.#failures.succeeded()
    if (this.#lost > 0) this.#log.warn('agents', `${this.#lost} outputs of scripts are lost, as too many waited`)
    this.#lost = 0
  }
}
