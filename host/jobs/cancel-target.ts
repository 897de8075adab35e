// Which waiting parts of which clients are to end.
import type { ClientQueue, QueuedPart } from './client-queue.ts'

/** Those of a job whose client `isOwn` accepts, all of clients, or those of any client that are refused. */
export type CancelTarget =
  | { job: number; isOwn(addr: string): boolean }
  | { clients: string[] }
  | { isRefused(addr: string, part: QueuedPart): boolean }

/** Takes the parts out of the queues, with the address of each queue. A part that is being sent stays. */
export function takeParts(queues: ReadonlyMap<string, ClientQueue>, target: CancelTarget): [string, QueuedPart[]][] {
  if ('clients' in target) {
    return target.clients.flatMap(addr => queues.get(addr) ?? []).map(queue => [queue.addr, queue.remove(always)])
  }
  const isTarget = (addr: string, part: QueuedPart) =>
    'job' in target ? part.job === target.job && target.isOwn(addr) : target.isRefused(addr, part)
  return [...queues.values()].map(queue => [queue.addr, queue.remove(part => isTarget(queue.addr, part))])
}

const always = () => true
