// Logs each accepted request that writes, in one line: route, caller, clients, job.
import { addressesAt } from '../access/rights.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Rights } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { clientFields, describeClients } from '../log/log-clients.ts'
import type { RequestContext } from './request-context.ts'

/** Whether a request of the command can change something: reads need no more than the right to read. */
export const isWrite = (loaded: LoadedCommand, payload: unknown): boolean => {
  const { access } = loaded.command
  return loaded.method === 'POST' && access !== 'read' && access !== 'none' && !isPreview(loaded, payload)
}

/** Whether the payload asks only for what the command would do. */
export const isPreview = ({ command: { previewKey } }: LoadedCommand, payload: unknown): boolean =>
  previewKey !== undefined && payload instanceof Object && Reflect.get(payload, previewKey) === true

export interface Written {
  readonly caller: string
  readonly rights: Rights
  readonly jobId: number | undefined
  readonly createdId: number | undefined
  readonly warning: string | undefined
}

export function logWrite(
  { state, status }: RequestContext,
  { caller, rights, jobId, createdId, warning }: Written,
  log: Log,
): void {
  const { route = '', loaded } = state
  const addrs = targetsOf(loaded, state.body?.value)
  const details = [
    ...(addrs.length > 0 ? [describeClients(addrs)] : []),
    ...(createdId === undefined ? [] : [`id ${createdId}`]),
    ...(jobId === undefined ? [] : [`job ${jobId}`]),
    ...(warning === undefined ? [] : [`warning: ${warning}`]),
  ]
  const what = [`${route} by ${rights.name} from ${caller}: ${status}`, ...details].join('; ')
  const fields = { event: 'write', route, by: rights.name, caller, status, job: jobId, id: createdId, warning }
  log.info('rest', what, addrs.length > 0 ? { ...fields, ...clientFields(addrs) } : fields)
}

/** The computers that a payload is about, as the caller sent them. */
export const targetsOf = (loaded: LoadedCommand | undefined, payload: unknown): string[] =>
  loaded ? addressesAt(loaded.targetKeys, payload).filter(addr => addr.length <= addressCharacters) : []

const addressCharacters = '255.255.255.255'.length
