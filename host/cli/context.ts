// One call of `fleet`: what it is given by the shell, and what its subcommands are handed.
import type { ApiClient } from './api/client.ts'
import type { Stream, Terminal } from './terminal/terminal.ts'

/** As much of a process as a call needs. */
export interface Shell {
  environment: NodeJS.ProcessEnv
  out: Stream
  error: Stream
}

export interface CliContext extends Terminal {
  /** The daemon; where it is, is looked up when it is first needed. */
  connect(): ApiClient
  /** The call ends with exit code 1, although nothing was thrown. */
  fail(): void
}
