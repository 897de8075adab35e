// Finds connected clients without a record by the names that their agents have said.
import { isIPv4 } from 'node:net'
import { CliError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { type ComputerRef, findAddress, readScopes } from './records.ts'

/** The addresses of `words`, which are addresses or names of pending clients. */
export async function pendingAddresses(api: ApiClient, words: string[]): Promise<string[]> {
  if (words.every(text => isIPv4(text))) return words
  const pending = await readPending(api)
  return words.map(text => (isIPv4(text) ? text : findAddress(text, pending)))
}

/** The address of a computer, or else of a pending client. */
export async function knownAddress(api: ApiClient, text: string): Promise<string> {
  if (isIPv4(text)) return text
  const { computers } = await readScopes(api)
  if (computers.some(({ name }) => name === text)) return findAddress(text, computers)
  const pending = await readPending(api)
  return findAddress(text, pending.some(({ name }) => name === text) ? pending : computers)
}

/** Nothing for callers that may not list them. */
export async function readPending(api: ApiClient): Promise<ComputerRef[]> {
  try {
    const { body } = await api.call('GET /pending')
    return body.pending.map(({ client: ip, name = '' }) => ({ ip, name, room: 'without a record', center: '' }))
  } catch (error) {
    // Callers that may only read have none.
    if (error instanceof CliError && error.status === 403) return []
    throw error
  }
}
