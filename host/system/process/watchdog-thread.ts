// Thread that watches the event loop of the daemon's thread: logs the code that blocks it, and ends a process that hangs.
import { type Debugger, Session } from 'node:inspector'
import { createLog, type LogOptions } from '../../log/log.ts'
import { LogOutput } from '../../log/log-output.ts'

export interface WatchOptions {
  /** Its first element is incremented by the daemon's event loop, once per tick. */
  beats: Int32Array
  /** See `progress.ts`. */
  progress: Int32Array
  tickSeconds: number
  /** Seconds without a beat after which the loop counts as blocked, and after which the process is ended. */
  blockedSeconds: number
  hangSeconds: number
  log: LogOptions
}

export function watch({
  beats,
  progress,
  tickSeconds,
  blockedSeconds,
  hangSeconds,
  log: logOptions,
}: WatchOptions): void {
  // A worker's standard output passes through the main thread, which is blocked; the file descriptor does not.
  const output = new LogOutput({ descriptor: 1, resumed: () => {} })
  const log = createLog(text => output.write(text), logOptions)
  const ticks = (seconds: number) => Math.ceil(seconds / tickSeconds)
  const monitor = new BeatMonitor({ blocked: ticks(blockedSeconds), hanging: ticks(hangSeconds) })
  setInterval(() => {
    const change = monitor.tick(Atomics.load(beats, 0), Atomics.load(progress, 0))
    if (change === 'blocked') {
      void findRunningFile().then(file => log.error('daemon', `event loop blocked for ${blockedSeconds} s in ${file}`))
    } else if (change === 'responsive') {
      log.warn('daemon', 'event loop responsive again')
    } else if (change === 'hanging') {
      log.error(
        'daemon',
        `event loop blocked for ${hangSeconds} s (limits.hang_seconds): ending the process by SIGKILL`,
      )
      output.end()
      // Nothing in the process can prevent it, and it writes no core file, which would contain the token.
      process.kill(process.pid, 'SIGKILL')
    }
  }, tickSeconds * 1000)
}

/** Pauses the daemon's thread and reads its stack: the innermost file that belongs to neither Node nor a package. */
async function findRunningFile(): Promise<string> {
  const session = new Session()
  session.connectToMainThread()
  // Stack frames name scripts by id only; the inspector lists the files of all ids when it is enabled.
  const files = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url.replace(/^file:\/\//, '')))
  const paused = new Promise<Debugger.CallFrame[]>(resolve => {
    session.on('Debugger.paused', ({ params }) => resolve(params.callFrames))
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')
  const frames = await paused
  session.post('Debugger.resume')
  session.disconnect()
  const stack = frames.map(({ location }) => files.get(location.scriptId) ?? '')
  return stack.find(file => file.startsWith('/') && !file.includes('/node_modules/')) ?? 'code outside any file'
}

/**
 * `blocked`: the loop has not beaten for that many ticks. `hanging`: nothing was done either. `responsive`: it beats again
 * after it was blocked.
 */
export type BeatChange = 'blocked' | 'hanging' | 'responsive'

/**
 * Counts ticks of its own thread and no time: while the process is stopped (SIGSTOP) or the machine suspended, neither
 * thread runs, and such a pause counts as one tick at most.
 */
export class BeatMonitor {
  #last: number | undefined
  #lastProgress: number | undefined
  #silentTicks = 0
  #idleTicks = 0
  readonly #limits: { blocked: number; hanging: number }

  /** The limits are ticks. */
  constructor(limits: { blocked: number; hanging: number }) {
    this.#limits = limits
  }

  /** To be called at each tick with the number of beats, and with that of what was done: while this grows, nothing hangs. */
  tick(beats: number, progress = 0): BeatChange | undefined {
    const { blocked, hanging } = this.#limits
    const isIdle = beats === this.#last && progress === this.#lastProgress
    this.#idleTicks = isIdle ? this.#idleTicks + 1 : 0
    this.#lastProgress = progress
    if (beats !== this.#last) {
      const wasBlocked = this.#silentTicks >= blocked
      this.#last = beats
      this.#silentTicks = 0
      return wasBlocked ? 'responsive' : undefined
    }
    this.#silentTicks += 1
    if (this.#idleTicks === hanging) return 'hanging'
    return this.#silentTicks === blocked ? 'blocked' : undefined
  }
}
