// Makes values and texts of others safe and short enough to be shown in logs and answers.
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

const lineEnds = /[\t-\r\u0085\u2028\u2029]/g
// Control characters, the invisible ones that change the direction of text or hide letters, and halves of characters.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}]/gu

/** At most `length` UTF-16 units of the text, without spaces at its ends; line ends and tabs become spaces. */
export function toPrintable(text: string, length: number): string {
  return cutText(text.trim(), length).replaceAll(lineEnds, ' ').replaceAll(unprintable, '').trim()
}

/** The first `limit` characters, in memory of their own. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  // Without the first half of a surrogate pair whose second half is cut off.
  const start = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  // A copy: a part of a string keeps all of it in memory, which may be as long as a message.
  return Buffer.from(start, 'utf16le').toString('utf16le')
}

/** Addresses in a line. */
export const shownClients = 3

/** `2 clients: 10.1.1.20, 10.1.1.21`; after the first addresses an ellipsis. */
export function describeClients(addrs: readonly string[]): string {
  const names = [...addrs.slice(0, shownClients), ...(addrs.length > shownClients ? ['…'] : [])]
  return `${addrs.length} ${addrs.length === 1 ? 'client' : 'clients'}${names.length > 0 ? `: ${names.join(', ')}` : ''}`
}

/** The same as fields of a line in JSON: `targets` is their number. */
export const clientFields = (addrs: readonly string[]) => ({
  targets: addrs.length,
  clients: addrs.slice(0, shownClients),
})

/** Bytes in the largest unit that leaves at least one: `3.2 GiB`. */
export function formatBytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** step
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`
}
