// Finds the addresses of computers, and of connected clients without a record, by their names.
import { isIPv4 } from 'node:net'
import { CliError, usageError } from '../cli-error.ts'
import { namesIn, unfoldNames } from '../terminal/folded-names.ts'
import type { ApiClient } from './client.ts'
import { nearName } from './near-name.ts'

/** A computer with the names of its room and center. */
export interface ComputerRef {
  ip: string
  name: string
  room: string
  center: string
}

/** The addresses of `texts`, which are addresses, names of the computers, or several as they are printed: `pc[1-3]`. */
export async function addressesOf(api: ApiClient, texts: string[], computers: ComputerRef[]): Promise<string[]> {
  const words = unfold(texts, computers)
  const unknown = words.find(text => !isIPv4(text) && computers.every(({ name }) => name !== text))
  if (unknown !== undefined && (await readPending(api)).some(({ name }) => name === unknown))
    throw usageError(
      `there is no computer ${unknown}; it is pending: fleet pending lists it, fleet adopt ${unknown} --room … makes its record`,
    )
  return words.map(text => (isIPv4(text) ? text : findAddress(text, computers)))
}

/** A name that is one stays as it is. */
function unfold(texts: readonly string[], computers: readonly ComputerRef[]): string[] {
  const isName = (text: string) => computers.some(({ name }) => name === text)
  return namesIn(texts, isName).flatMap(text => (isName(text) ? text : unfoldNames(text)))
}

/** The same of pending clients. */
export async function pendingAddresses(api: ApiClient, texts: string[]): Promise<string[]> {
  if (texts.every(text => isIPv4(text))) return texts
  const pending = await readPending(api)
  return unfold(texts, pending).map(text => (isIPv4(text) ? text : findAddress(text, pending)))
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

export function findAddress(text: string, computers: ComputerRef[]): string {
  const [computer, ...others] = computers.filter(({ name }) => name === text)
  if (!computer) {
    const near = nearName(text, computers)
    const hint = near === undefined ? 'fleet pending lists clients without a record' : `maybe meant: ${near}`
    const isRoom = computers.some(({ room }) => room === text)
    throw usageError(`there is no computer ${text}; ${isRoom ? `of the room: --room "${text}"` : hint}`)
  }
  if (others.length === 0) return computer.ip
  const candidates = [computer, ...others].map(({ ip, room }) => `${ip} (${room})`)
  throw usageError(`expected one of the addresses ${candidates.join(', ')}, got ${text}`)
}
