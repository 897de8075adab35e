// Watches the clients that run commands with `imaging`: reports their progress, and judges their replies by their logs.
import type { Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { type CopyProgress, lineReader } from './log-patterns.ts'
import { ReadQueue } from './read-queue.ts'
import { WatchedClient } from './watched-client.ts'

interface ImagingWatchDeps {
  store: Pick<Store, 'jobs'>
  events: Events
  log: Log
  /** Option `images.log`. */
  options: Options['images']['log']
}

/** Begins to watch a client that is about to be sent a command. */
export type WatchImaging = (addr: string, command: string) => Pick<WatchedClient, 'judge' | 'end'>

/** Logs that are read at the same time. */
const parallelReads = 32

/** Jobs that may have a part that a client is running: one, and those whose end is being stored. */
const maxJobs = 10

/** Undefined when the option `images.log.off` is set. */
export function createImagingWatch({ store, events, log, options }: ImagingWatchDeps): WatchImaging | undefined {
  if (options.off) return undefined
  const readLine = lineReader(options.patterns)
  const queue = new ReadQueue(parallelReads)
  const lineQueue = new ReadQueue(1)

  return (addr, command) => {
    let part: { job: number; step: number } | undefined
    const onProgress = async (progress: CopyProgress) => {
      try {
        part ??= await findRunningPart(store, addr, command)
        if (part && !client.hasEnded) events.emit({ type: 'job-progress', ...part, addr, command, ...progress })
      } catch (error) {
        log.error('images', `progress of ${addr} not reported`, error)
      }
    }
    const client = new WatchedClient({ addr, options, readLine, queue, lineQueue, onProgress })
    return client
  }
}

/** `step` is the index in the job's steps. Undefined also while the part is not stored yet: that may be after it was sent. */
async function findRunningPart({ jobs }: Pick<Store, 'jobs'>, client: string, command: string) {
  for (const { id, steps } of await jobs.list({ state: 'sent', command, client, limit: maxJobs })) {
    const parts = await jobs.parts(id, { client, limit: steps.length, outputs: false })
    const part = parts.find(({ state, step }) => state === 'sent' && steps[step]?.command === command)
    if (part) return { job: id, step: part.step }
  }
  return undefined
}
