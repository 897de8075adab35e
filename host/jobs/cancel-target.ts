// Which waiting parts of which clients are to end.
import type { ClientQueue } from './queue/client-queue.ts'
import type { PartTarget, QueuedPart } from './queue/queued-parts.ts'

/** Those of a job whose client `isOwn` accepts, all of clients, or those of any client that are refused. */
export type CancelTarget =
  | { job: number; isOwn(addr: string): boolean }
  | { clients: string[] }
  | { isRefused(addr: string, part: QueuedPart): boolean }

/** Takes the parts out of the queues, with the address of each queue. A part that is being sent stays. */
export function takeParts(queues: ReadonlyMap<string, ClientQueue>, target: CancelTarget): [string, QueuedPart[]][] {
  if ('clients' in target) {
    return target.clients.flatMap(addr => queues.get(addr) ?? []).map(queue => [queue.addr, queue.remove({})])
  }
  const chosen = [...queues.values()].filter(({ addr }) => !('job' in target) || target.isOwn(addr))
  const partsOf = (addr: string): PartTarget =>
    'job' in target ? { job: target.job } : { isMeant: part => target.isRefused(addr, part) }
  return chosen.map(queue => [queue.addr, queue.remove(partsOf(queue.addr))])
}
