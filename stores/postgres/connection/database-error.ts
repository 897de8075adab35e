// Errors of the database: one line each, with what the server says about the cause.

export const noResponse = 'the server does not respond'

export class DatabaseError extends Error {
  /** The server's code, '' for an error of the connection. */
  readonly code: string
  /** The constraint that a statement would have violated. */
  readonly constraint: string | undefined

  constructor(cause: unknown) {
    const [line] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    const code = textOf(cause, 'code') ?? ''
    super(`PostgreSQL: ${clearer(line, code) || code || 'connection failed'}`, { cause })
    this.code = code
    // The reason of all statements while the server is away, wherever they are made.
    if (!isOfServer(cause)) withoutStack(this)
    this.constraint = textOf(cause, 'constraint')
  }
}

/** Others are errors of the connection. */
export const isOfServer = (error: unknown): boolean => error instanceof Error && 'severity' in error

/** For a known reason, of which the log needs no more than the message. */
export function withoutStack<Problem extends Error>(error: Problem): Problem {
  delete error.stack
  return error
}

/** What the packages say of an attempt to connect, a connection and a statement that take too long. */
const timeouts = new Set([
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'Query read timeout',
])

/** Whether the time of a package was over, which may also be because this process was paused. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && timeouts.has(error.message)

/** Codes of an error that may be of one connection alone: it has ended, or the server takes no more at this moment. */
const passingCodes = new Set(['', 'ECONNRESET', 'EPIPE', 'EAGAIN'])

/** Whether the server may well respond to another connection, unlike one that refuses them. */
export const isPassing = ({ code }: DatabaseError): boolean => passingCodes.has(code)

/** Some messages do not say what an administrator can do about them. */
function clearer(line: string | undefined, code: string): string | undefined {
  if (line !== undefined && timeouts.has(line)) return noResponse
  if (line?.endsWith('client password must be a string')) return 'the server asks for a password, and none is set'
  return code === '3F000' ? 'the user may not use the schema' : line
}

/** An error of one line, also for several addresses that refused the connection. */
export function describeError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error
  return new DatabaseError(error instanceof AggregateError ? error.errors[0] : error)
}

/** The code of an error of the server, '' for others. */
export const codeOf = (error: unknown): string => (error instanceof DatabaseError ? error.code : '')

function textOf(error: unknown, key: 'code' | 'constraint'): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : undefined
}
