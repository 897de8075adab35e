// Only the time in which the process ran counts as time that a server had for its response.
import { suite } from 'uvu'
import { is, ok } from 'uvu/assert'
import { waitForTimeout } from '../../stores/postgres/connection/response-timeout.ts'
import { failure } from '../harness/store-folders.ts'

const test = suite('silence')

/** The whole process stands still. */
const pause = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

const { signal } = new AbortController()

/** The timers of the wait keep no process alive. */
const alive = setInterval(() => {}, 60_000)
test.after(() => clearInterval(alive))

test('a pause in the middle of a wait does not count', async () => {
  const waiting = waitForTimeout(400, signal)
  let ended = 0
  setTimeout(() => {
    pause(1000)
    ended = performance.now()
  }, 50)
  await waiting
  const after = performance.now() - ended
  ok(ended > 0 && after > 290, `it ended ${Math.round(after)} ms after the pause`)
})

test('a wait ends also in a process that is paused again and again', async () => {
  let pauses = 0
  const timer = setInterval(() => {
    pauses += 1
    pause(300)
  }, 10)
  await waitForTimeout(200, signal)
  clearInterval(timer)
  ok(pauses >= 3, `${pauses} pauses`)
})

test('what is received in between begins the silence again', async () => {
  let [bytes, last] = [0, 0]
  const timer = setInterval(() => {
    bytes += 1
    last = performance.now()
    if (bytes === 10) clearInterval(timer)
  }, 50)
  await waitForTimeout(300, signal, () => bytes)
  const silent = performance.now() - last
  ok(bytes === 10 && silent > 200, `${bytes} bytes, then ${Math.round(silent)} ms`)
})

test('a wait ends when its signal is aborted', async () => {
  const stop = new AbortController()
  const waiting = failure(waitForTimeout(60_000, stop.signal))
  stop.abort()
  is(await waiting, 'The operation was aborted')
})

test.run()
