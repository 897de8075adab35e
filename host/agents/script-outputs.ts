// What the last script on each address printed, cut at the output limit: in memory, or in the store of several hosts.
import type { SharedOutputs } from '../cluster/cluster.ts'
import type { Log } from '../log/log.ts'
import { cutText } from '../system/cut-text.ts'
import { endOfTick } from '../system/time-slices.ts'
import { OutputWriter } from './output-writer.ts'

export interface ScriptOutputs {
  /** '' when no script has printed anything. */
  get(addr: string): string | Promise<string>
  /** The output of one address: to have it saves looking for it, as thousands of agents reply at once. */
  of(addr: string): ScriptOutput
  delete(addrs: string[]): void | Promise<void>
}

export interface ScriptOutput {
  /** `text` is what is stored; `stored` never rejects, absent: it is stored already, or is stored later. */
  set(text: string): { text: string; stored?: Promise<void> }
}

class OwnOutput implements ScriptOutput {
  text = ''
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  set(text: string): { text: string } {
    this.text = cutText(text, this.#limit)
    return { text: this.text }
  }
}

/** `limit`: characters. By address and not by agent, so that an output survives a reconnect. */
export function createScriptOutputs(limit: number): ScriptOutputs {
  const outputs = new Map<string, OwnOutput>()
  return {
    get: addr => outputs.get(addr)?.text ?? '',
    of(addr) {
      const output = outputs.get(addr) ?? new OwnOutput(limit)
      outputs.set(addr, output)
      return output
    },
    delete(addrs) {
      // Agents have the objects, so these stay.
      for (const addr of addrs) {
        const output = outputs.get(addr)
        if (output) output.text = ''
      }
    },
  }
}

/** Any host reads what the agents of all hosts have printed. */
export function createSharedOutputs(shared: SharedOutputs, limit: number, log: Log): ScriptOutputs {
  const writer = new OutputWriter(shared, log)
  let asked: string[] = []
  let answers: Promise<Map<string, string>> | undefined

  async function read(): Promise<Map<string, string>> {
    await endOfTick()
    const addrs = asked
    asked = []
    answers = undefined
    return shared.outputs(addrs)
  }

  function set(addr: string, text: string): ReturnType<ScriptOutput['set']> {
    const output = cutText(text, limit)
    return { text: output, stored: writer.set(addr, output) }
  }

  return {
    // Those of one tick are read together: a request asks for thousands.
    async get(addr) {
      asked.push(addr)
      answers ??= read()
      return (await answers).get(addr) ?? ''
    },
    of: addr => ({ set: text => set(addr, text) }),
    delete(addrs) {
      writer.remove(addrs)
      return shared.clearOutputs(addrs)
    },
  }
}
