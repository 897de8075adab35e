// The rule by which words find computers in every search, and what the daemon finds by it that the page does not know.
import { signal } from '@preact/signals'
import type { SearchAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { typingTime } from './suggestions.ts'

/** Characters: fewer are by chance in too many hardware addresses. */
const fewestTyped = 4

const query = /["()<>=]|[\p{L}_]\s*:|(^|\s)(and|or|not)\s/iu
/** Also a part of one, which may look like a field. */
const hardwareAddress = /^[\da-f]{1,2}([:-][\da-f]{1,2})*[:-]?$/i

/** Without fields and other signs of a query. */
export const isWords = (typed: string): boolean => hardwareAddress.test(typed.trim()) || !query.test(typed)

/**
 * Words find computers that have them all in their names, addresses and serial numbers, or as they are in the name of their
 * room, their center or their user. A query stays as it is.
 */
export function queryOfWords(typed: string): string {
  const text = typed.trim()
  if (text === '' || !isWords(text)) return text
  const words = text.split(/\s+/).map(word => `"${word}"`)
  return [words.join(' '), ...['room', 'center', 'user'].map(field => `${field}:"*${text}*"`)].join(' or ')
}

/** All that the API lists: a lab has thousands of computers of one manufacturer. */
const mostFound = 99_999

/** What answers the addresses that a query finds. */
export const pathOfAddresses = (where: string, limit = mostFound): string =>
  `/search?${new URLSearchParams({ where, columns: 'client', limit: String(limit) })}`

export const addressesOf = (answer: SearchAnswer | undefined) => answer?.computers.map(({ client }) => client)

/** The address of the only computer that these words find. */
export async function onlyWith(typed: string): Promise<string | undefined> {
  if (typed === '' || !isWords(typed)) return undefined
  const { value } = await get<SearchAnswer>(pathOfAddresses(queryOfWords(typed), 1))
  return value?.total === 1 ? value.computers[0]?.client : undefined
}

/** Of one field: the computers that the daemon finds with the words that were typed last in it. */
export function searchElsewhere() {
  const found = signal<{ word: string; ips: ReadonlySet<string> }>({ word: '', ips: new Set() })
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    /** Asks the daemon after a pause. */
    find(typed: string): void {
      const word = isWords(typed) ? typed.trim() : ''
      if (word === found.peek().word) return
      clearTimeout(timer)
      found.value = { word, ips: new Set() }
      if (word.length < fewestTyped) return
      timer = setTimeout(async () => {
        const ips = new Set(addressesOf((await get<SearchAnswer>(pathOfAddresses(queryOfWords(word)))).value))
        if (found.peek().word === word) found.value = { word, ips }
      }, typingTime)
    },
    has(ip: string, typed: string): boolean {
      const { word, ips } = found.value
      return ips.has(ip) && typed.trim() === word
    },
  }
}
