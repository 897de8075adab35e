// Watches the clients that run commands with `imaging`: reports their progress, and judges their replies by their logs.
import type { Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import type { ReplyVerdict } from './client-log.ts'
import { type CopyProgress, lineReader } from './log-patterns.ts'
import { ReadQueue } from './read-queue.ts'
import { findRunningPart, type RunningPart } from './running-part.ts'
import { WatchedClient } from './watched-client.ts'

export interface ImagingWatchDeps {
  store: Pick<Store, 'jobs'>
  events: Events
  log: Log
  /** Option `images.log`. */
  options: Options['images']['log']
}

/** Begins to watch a client that is about to be sent a command. */
export type WatchImaging = (
  addr: string,
  command: string,
) => {
  /** To be called when the client has replied; resolves after some seconds at most. */
  judge(): Promise<ReplyVerdict>
  /** To be called when the command has ended. */
  end(): void
}

/** Logs that are read at the same time. */
const parallelReads = 32

/** Undefined when the option `images.log.off` is set. */
export function createImagingWatch({ store, events, log, options }: ImagingWatchDeps): WatchImaging | undefined {
  if (options.off) return undefined
  const readLine = lineReader(options.patterns)
  const queue = new ReadQueue(parallelReads)
  const lineQueue = new ReadQueue(1)

  return (addr, command) => {
    let part: RunningPart | undefined
    let hasEnded = false
    const report = async (progress: CopyProgress) => {
      part ??= await findRunningPart(store, addr, command)
      if (part && !hasEnded)
        events.emit({ type: 'job-progress', job: part.job, step: part.step, addr, command, ...progress })
    }
    const onProgress = (progress: CopyProgress) => {
      report(progress).catch(error => log.error('images', `progress of ${addr} not reported`, error))
    }
    const client = new WatchedClient({ addr, options, readLine, queue, lineQueue, onProgress })
    return {
      judge: () => client.judge(),
      end() {
        hasEnded = true
        client.end()
      },
    }
  }
}
