// What the subcommands of one run of `fleet` get: the API client, the output and the exit code.
import type { ApiClient } from './api/client.ts'
import type { SettingsInput } from './api/settings.ts'
import type { Input, Stream, Terminal } from './terminal/terminal.ts'

/** The parts of a process that one run needs; tests pass their own. */
export interface CliProcess {
  environment: NodeJS.ProcessEnv
  out: Stream
  error: Stream
  /** For answers to questions; without one nothing is asked. */
  input?: Input
}

export interface CliContext extends Terminal {
  environment: NodeJS.ProcessEnv
  /** What follows the first `--`; undefined without one. */
  wordsAfterDashes: string[] | undefined
  /** The options of the program itself. */
  programOptions(): SettingsInput
  /** The client of the REST API, created at the first call: only then address and token are looked up. */
  connect(): ApiClient
  /** Sets exit code 1 without throwing. */
  fail(): void
}
