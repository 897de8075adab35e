// What the last script on each address printed, cut at the output limit: in memory, or in the store of several hosts.
import type { SharedOutputs } from '../cluster/cluster.ts'
import { cutText } from '../system/cut-text.ts'
import type { Log } from '../system/log.ts'
import { endOfTick } from '../system/time-slices.ts'

export interface ScriptOutputs {
  /** '' when no script has printed anything. */
  get(addr: string): string | Promise<string>
  /** `text` is what is stored; `stored` never rejects, absent: it is stored already. */
  set(addr: string, text: string): { text: string; stored?: Promise<void> }
  delete(addrs: string[]): void | Promise<void>
}

/** `limit`: characters. By address and not by agent, so that an output survives a reconnect. */
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
      // The keys stay: most get an output again soon, and a map that shrinks and grows costs more.
      for (const addr of addrs) if (outputs.has(addr)) outputs.set(addr, '')
    },
  }
}

/** Any host reads what the agents of all hosts have printed. */
export function createSharedOutputs(shared: SharedOutputs, limit: number, log: Log): ScriptOutputs {
  /** The last write of each address, until it has ended: a later one must not overtake it. */
  const writes = new Map<string, Promise<void>>()
  let asked: string[] = []
  let answers: Promise<Map<string, string>> | undefined

  async function read(): Promise<Map<string, string>> {
    await endOfTick()
    const addrs = asked
    asked = []
    answers = undefined
    return shared.outputs(addrs)
  }

  async function write(addr: string, output: string, before: Promise<void> | undefined): Promise<void> {
    await before
    await shared.setOutput(addr, output).catch(error => log.error(`agent ${addr}`, 'output not stored', error))
  }

  return {
    // Those of one tick are read together: a request asks for thousands.
    async get(addr) {
      asked.push(addr)
      answers ??= read()
      return (await answers).get(addr) ?? ''
    },
    set(addr, text) {
      const output = cutText(text, limit)
      const stored = write(addr, output, writes.get(addr)).finally(() => {
        if (writes.get(addr) === stored) writes.delete(addr)
      })
      writes.set(addr, stored)
      return { text: output, stored }
    },
    delete: addrs => shared.clearOutputs(addrs),
  }
}
