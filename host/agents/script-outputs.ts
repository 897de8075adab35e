// What the last script on each address printed, cut at the output limit.

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
    const output = cut(text, this.#limit)
    this.#outputs.set(addr, output)
    return output
  }

  delete(addr: string): void {
    this.#outputs.delete(addr)
  }
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  // Without the first half of a surrogate pair whose second half is cut off.
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
}
