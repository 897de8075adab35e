// What the last script on each address printed, cut at the output limit: in memory, or in the store of several hosts.
import { setTimeout as wait } from 'node:timers/promises'
import type { SharedOutputs } from '../cluster/cluster.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { Log } from '../log/log.ts'
import { cutText } from '../log/shown-text.ts'
import { createMutex } from '../system/mutex.ts'
import { endOfTick } from '../system/time-slices.ts'

/** `text` is what is stored; `stored` never rejects, absent: it is stored already. */
export interface StoredOutput {
  text: string
  stored?: Promise<void>
}

/** By address and not by agent, so that an output survives a reconnect. */
export interface ScriptOutputs {
  /** '' when no script has printed anything. */
  get(addr: string): string | Promise<string>
  set(addr: string, text: string): StoredOutput
  delete(addrs: readonly string[]): void | Promise<void>
}

/** `limit`: characters. */
export function createScriptOutputs(limit: number): ScriptOutputs {
  const outputs = new Map<string, string>()
  return {
    get: addr => outputs.get(addr) ?? '',
    set(addr, text) {
      const output = cutText(text, limit)
      outputs.set(addr, output)
      return { text: output }
    },
    delete(addrs) {
      for (const addr of addrs) outputs.delete(addr)
    },
  }
}

const retryMilliseconds = 1000

/** Outputs of one write. */
const batchSize = 1000

/** Characters of all that wait for the store; beyond that the oldest are lost. */
const maxWaiting = 32 << 20

interface ClusterOutputsDeps {
  store: SharedOutputs
  /** Characters. */
  limit: number
  log: Log
  maxWaiting?: number
}

/** Any host reads what the agents of all hosts have printed. */
export class ClusterOutputs implements ScriptOutputs {
  readonly #deps: ClusterOutputsDeps
  readonly #failures: FailureLog
  readonly #exclusive = createMutex()
  /** By address, the oldest first. */
  readonly #waiting = new Map<string, string>()
  /** Of all that wait. */
  #characters = 0
  #lost = 0
  /** The write that has not begun: also of outputs that come until then. */
  #nextWrite: Promise<void> | undefined
  #asked: string[] = []
  #answers: Promise<Map<string, string>> | undefined

  constructor(deps: ClusterOutputsDeps) {
    this.#deps = deps
    this.#failures = new FailureLog(deps.log, {
      where: 'agents',
      failed: 'outputs of scripts cannot be stored, they are tried again each second',
      succeeded: 'outputs of scripts are stored again',
    })
  }

  /** Those of one tick are read together: a request asks for thousands. */
  async get(addr: string): Promise<string> {
    this.#asked.push(addr)
    this.#answers ??= this.#read()
    return (await this.#answers).get(addr) ?? ''
  }

  /** `stored` also resolves when the first attempt has failed: then it is stored later. */
  set(addr: string, text: string): StoredOutput {
    const output = cutText(text, this.#deps.limit)
    this.#remove(addr)
    this.#waiting.set(addr, output)
    this.#characters += output.length
    this.#dropOldest()
    return { text: output, stored: this.#scheduleWrite() }
  }

  delete(addrs: readonly string[]): Promise<void> {
    for (const addr of addrs) this.#remove(addr)
    return this.#deps.store.clearOutputs(addrs)
  }

  async #read(): Promise<Map<string, string>> {
    await endOfTick()
    const addrs = this.#asked
    this.#asked = []
    this.#answers = undefined
    return this.#deps.store.outputs(addrs)
  }

  #remove(addr: string): void {
    this.#characters -= this.#waiting.get(addr)?.length ?? 0
    this.#waiting.delete(addr)
  }

  #dropOldest(): void {
    for (const oldest of this.#waiting.keys()) {
      if (this.#characters <= (this.#deps.maxWaiting ?? maxWaiting)) return
      this.#remove(oldest)
      this.#lost += 1
    }
  }

  #scheduleWrite(): Promise<void> {
    this.#nextWrite ??= this.#exclusive(async () => {
      await (this.#failures.isFailing ? wait(retryMilliseconds, undefined, { ref: false }) : endOfTick())
      this.#nextWrite = undefined
      await this.#write()
    })
    return this.#nextWrite
  }

  async #write(): Promise<void> {
    try {
      for (let left = this.#waiting.size; left > 0; left -= batchSize) {
        const batch = [...this.#waiting].slice(0, batchSize)
        await this.#deps.store.setOutputs(new Map(batch))
        // Another one may have come meanwhile.
        for (const [addr, output] of batch) if (this.#waiting.get(addr) === output) this.#remove(addr)
      }
    } catch (error) {
      this.#failures.failed(error)
      void this.#scheduleWrite()
      return
    }
    this.#failures.succeeded()
    if (this.#lost > 0) this.#deps.log.warn('agents', `${this.#lost} outputs of scripts are lost, as too many waited`)
    this.#lost = 0
  }
}
