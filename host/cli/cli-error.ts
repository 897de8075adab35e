// The error that ends `fleet` with one line on standard error and an exit code.
import { message } from '../log/log.ts'

export class CliError extends Error {
  /** 1: the operation failed. 2: `fleet` was called wrongly. */
  readonly exitCode: 1 | 2
  /** HTTP status of the daemon's response, if there was a response. */
  readonly status: number | undefined

  constructor(message: string, { exitCode = 1, status }: { exitCode?: 1 | 2; status?: number } = {}) {
    super(message)
    this.exitCode = exitCode
    this.status = status
  }
}

/** Ends `fleet` with exit code 0: `--dry-run` has printed what it would do. */
export class DryRun extends Error {}

export const usageError = (message: string): CliError => new CliError(message, { exitCode: 2 })

/** A usage error when both options are set. */
export function exclude<Name extends string>(
  where: string,
  flags: { [Key in Name]?: unknown },
  one: Name,
  other: Name,
) {
  if (flags[one] && flags[other]) throw usageError(`${where}: expected either --${one} or --${other}, got both`)
}

/** The result of `work`; throws what `toError` makes of the message when that throws. */
export function orThrow<Result>(work: () => Result, toError: (reason: string) => CliError): Result {
  try {
    return work()
  } catch (error) {
    throw toError(message(error))
  }
}
