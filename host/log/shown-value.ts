// Shows a value that was not expected in an error message.
import { inspect, types } from 'node:util'

const brief = { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 3, maxStringLength: 40 }
const maxLength = 80

/** Formats a value of any type and size as text that is short enough for a log line. */
export function showValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  // Some versions of Node show more of a promise, in several lines.
  if (types.isPromise(value)) return 'a promise'
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value, brief)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
