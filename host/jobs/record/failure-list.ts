// Failures by client and command.
import type { FailureEntry } from '../../contract/services.ts'

export class FailureList {
  readonly #clients = new Map<string, Map<string, FailureEntry>>()

  /** Replaces an earlier failure of the command on that client. */
  add(failure: FailureEntry): void {
    const { client, command } = failure
    const commands = this.#clients.get(client) ?? new Map<string, FailureEntry>()
    this.#clients.set(client, commands.set(command, failure))
  }

  /** Removes the failure of the command on the client, or all of the client. */
  end(client: string, command?: string): void {
    const commands = this.#clients.get(client)
    if (command !== undefined) commands?.delete(command)
    if (command === undefined || commands?.size === 0) this.#clients.delete(client)
  }

  *[Symbol.iterator](): Generator<FailureEntry> {
    for (const commands of this.#clients.values()) yield* commands.values()
  }
}
