// Thread that watches the event loop of the daemon's thread: logs the code that blocks it, and ends a process that hangs.
import { type Debugger, Session } from 'node:inspector'
import { createLog, type LogOptions } from '../../log/log.ts'
import { LogOutput } from '../../log/log-output.ts'
import { BeatMonitor } from './beat-monitor.ts'

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
