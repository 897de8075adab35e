// Finds computers by their hardware addresses, which the page does not know.
import { signal } from '@preact/signals'
import type { SearchAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'

/** Also for the first digits of a manufacturer. */
const mostFound = 500

/** The computers whose hardware addresses contain the digits that were typed last. */
const withMac = signal<{ digits: string; ips: ReadonlySet<string> }>({ digits: '', ips: new Set() })

/** '' of what is no part of a hardware address. */
const macDigits = (text: string): string =>
  /^(([0-9a-f]{2}[:-]?){3,6}|([0-9a-f]{4}\.){1,2}[0-9a-f]{2,4})$/i.test(text)
    ? text.replaceAll(/[:.-]/g, '').toLowerCase()
    : ''

/** Reads which computers have it: the page knows no hardware addresses. */
export async function findMac(typed: string): Promise<void> {
  const digits = macDigits(typed.trim())
  if (digits === '' || digits === withMac.peek().digits) return
  withMac.value = { digits, ips: new Set() }
  const { value } = await get<SearchAnswer>(`/search?where=mac:*${digits}*&limit=${mostFound}`)
  if (withMac.peek().digits === digits)
    withMac.value = { digits, ips: new Set(value?.computers.map(({ client }) => client)) }
}

export function hasMac(ip: string, typed: string): boolean {
  const { digits, ips } = withMac.value
  return ips.has(ip) && macDigits(typed.trim()) === digits
}
