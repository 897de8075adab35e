// Finds computers by what the page does not know of them: hardware addresses and serial numbers.
import { signal } from '@preact/signals'
import type { SearchAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { typingTime } from './suggestions.ts'

/** Also for the first digits of a manufacturer. */
const mostFound = 500

/** Characters: fewer are by chance in too many hardware addresses. */
const fewestTyped = 4

/** As one word of a query. */
const wordOf = (typed: string) => typed.trim().toLowerCase().replaceAll('"', '')

const read = (word: string, limit: number) =>
  get<SearchAnswer>(`/search?${new URLSearchParams({ where: `"${word}"`, columns: 'client', limit: String(limit) })}`)

/** The address of the only computer that has this in its name, addresses or serial number. */
export async function onlyWith(typed: string): Promise<string | undefined> {
  const { value } = await read(wordOf(typed), 1)
  return value?.total === 1 ? value.computers[0]?.client : undefined
}

/** Of one field: the computers that the daemon finds with what was typed last in it. */
export function searchElsewhere() {
  const found = signal<{ word: string; ips: ReadonlySet<string> }>({ word: '', ips: new Set() })
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    /** Asks the daemon after a pause. */
    find(typed: string): void {
      const word = wordOf(typed)
      if (word === found.peek().word) return
      clearTimeout(timer)
      found.value = { word, ips: new Set() }
      if (word.length < fewestTyped) return
      timer = setTimeout(async () => {
        const { value } = await read(word, mostFound)
        const ips = new Set(value?.computers.map(({ client }) => client))
        if (found.peek().word === word) found.value = { word, ips }
      }, typingTime)
    },
    has(ip: string, typed: string): boolean {
      const { word, ips } = found.value
      return ips.has(ip) && wordOf(typed) === word
    },
  }
}
