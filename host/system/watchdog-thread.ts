// The watching thread: names the file of code that never returns.
import { writeSync } from 'node:fs'
import { type Debugger, Session } from 'node:inspector'
import { createLog } from './log.ts'

/** `beats` changes while the daemon's thread lives; `seconds` without a change are told. */
export function watch(beats: Int32Array, seconds: number): void {
  // A thread's standard output goes through the thread that hangs; the file descriptor does not.
  const log = createLog(text => writeSync(1, text))
  let last = -1
  let told = false
  setInterval(() => {
    const beat = Atomics.load(beats, 0)
    if (beat === last && !told) {
      told = true
      void whereItHangs().then(place => log.error('daemon', `no answer for ${seconds} s: ${place} does not return`))
    } else if (beat !== last && told) {
      told = false
      log.warn('daemon', 'answers again')
    }
    last = beat
  }, seconds * 1000)
}

/** Stops the daemon's thread for a moment and reads its stack: the innermost file that is not Node's or a package's. */
async function whereItHangs(): Promise<string> {
  const session = new Session()
  session.connectToMainThread()
  // Frames of a stack name scripts by number only; the files come once, when the session begins.
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
