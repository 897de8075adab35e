// Logs each accepted request that writes, in one line: route, caller, clients, job.
import type { LoadedCommand } from '../loaded-command.ts'
import type { Rights } from '../services.ts'
import type { Log } from '../system/log.ts'
import { clientFields, describeClients } from '../system/log-clients.ts'
import type { RequestContext } from './request-context.ts'

/** Whether a request of the command can change something: reads need no more than the right to read. */
export const isWrite = ({ method, command: { access } }: LoadedCommand): boolean =>
  method === 'POST' && access !== 'read' && access !== 'none'

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
  const { route = '' } = state
  const addrs = addressesIn(state.body?.value)
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

/** The addresses of a payload: those of `clients` as the caller sent them, or that of a computer record. */
export function addressesIn(payload: unknown): string[] {
  if (!(payload instanceof Object)) return []
  if ('clients' in payload && Array.isArray(payload.clients)) return payload.clients.filter(isAddress)
  return 'ip' in payload && isAddress(payload.ip) ? [payload.ip] : []
}

/** Also for values that no schema has checked: 15 characters are the longest address. */
const isAddress = (value: unknown): value is string => typeof value === 'string' && value.length <= 15
