// Thread that watches the event loop of the daemon's thread and logs the file of code that blocks it.
import { type Debugger, Session } from 'node:inspector'
import { createLog } from './log.ts'
import { LogOutput } from './log-output.ts'

/** Logs when `beats`, which the daemon's event loop increments, has not changed for `seconds`. */
export function watch(beats: Int32Array, seconds: number): void {
  // A worker's standard output passes through the main thread, which is blocked; the file descriptor does not.
  const output = new LogOutput({ descriptor: 1, resumed: () => {} })
  const log = createLog(text => output.write(text))
  let lastBeat = -1
  let isBlocked = false
  setInterval(() => {
    const beat = Atomics.load(beats, 0)
    if (beat === lastBeat && !isBlocked) {
      isBlocked = true
      void findRunningFile().then(file => log.error('daemon', `event loop blocked for ${seconds} s in ${file}`))
    } else if (beat !== lastBeat && isBlocked) {
      isBlocked = false
      log.warn('daemon', 'event loop responsive again')
    }
    lastBeat = beat
  }, seconds * 1000)
}

/** Pauses the daemon's thread and reads its stack: the innermost file that belongs to neither Node nor a package. */
async function findRunningFile(): Promise<string> {
  const session = new Session()
  session.connectToMainThread()
  // Stack frames name scripts by id only; the debugger reports the files of all ids when it is enabled.
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
