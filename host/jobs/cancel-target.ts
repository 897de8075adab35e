// Which waiting parts of which clients are to end.
import type { ClientQueue, QueuedPart } from './client-queue.ts'

/** Those of a job whose client `isOwn` accepts, or all of clients. */
export type CancelTarget = { job: number; isOwn(addr: string): boolean } | { clients: string[] }

/** Takes the parts out of the queues, with the address of each queue. A part that is being sent stays. */
export function takeParts(queues: ReadonlyMap<string, ClientQueue>, target: CancelTarget): [string, QueuedPart[]][] {
  const chosen =
    'job' in target
      ? [...queues.values()].filter(({ addr }) => target.isOwn(addr))
      : target.clients.flatMap(addr => queues.get(addr) ?? [])
  const isTarget = ({ job }: QueuedPart) => !('job' in target) || job === target.job
  return chosen.map(queue => [queue.addr, queue.remove(isTarget)])
}
