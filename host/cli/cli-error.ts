// The error that ends `fleet` with one line on standard error and an exit code.

/** 1: the operation failed. 2: `fleet` was called wrongly. */
export type ExitCode = 1 | 2

export class CliError extends Error {
  readonly exitCode: ExitCode
  /** HTTP status of the daemon's response, if there was a response. */
  readonly status: number | undefined

  constructor(message: string, { exitCode = 1, status }: { exitCode?: ExitCode; status?: number } = {}) {
    super(message)
    this.exitCode = exitCode
    this.status = status
  }
}

export const usageError = (message: string): CliError => new CliError(message, { exitCode: 2 })
