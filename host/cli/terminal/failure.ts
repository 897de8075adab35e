// What ends a subcommand of `fleet` with one line: how it was called, or what became of it.

/** 1: it was tried and failed. 2: it was not called as it can be. */
export type ExitCode = 1 | 2

export class CliError extends Error {
  readonly exitCode: ExitCode
  /** The status of the daemon's answer, if there was one. */
  readonly status: number | undefined

  constructor(message: string, { exitCode = 1, status }: { exitCode?: ExitCode; status?: number } = {}) {
    super(message)
    this.exitCode = exitCode
    this.status = status
  }
}

export const usageError = (message: string): CliError => new CliError(message, { exitCode: 2 })
