// What the last script on each address printed, cut at the output limit.
import { cutText } from '../system/cut-text.ts'

export class ScriptOutputs {
  /** Characters. */
  readonly #limit: number
  /** By address and not by agent, so that an output survives a reconnect. */
  readonly #outputs = new Map<string, string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** '' when no script has printed anything. */
  get(addr: string): string {
    return this.#outputs.get(addr) ?? ''
  }

  /** Returns what was stored. */
  set(addr: string, text: string): string {
    const output = cutText(text, this.#limit)
    this.#outputs.set(addr, output)
    return output
  }

  delete(addr: string): void {
    this.#outputs.delete(addr)
  }
}
