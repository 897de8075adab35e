// Puts a virtual time in the place of Node's clocks and timers.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'
import type { Immediate, VirtualTime } from './virtual-time.ts'

const RealDate = Date

/** What Node's timers return. */
class Timer {
  readonly #time: VirtualTime
  readonly #run: () => void
  readonly #milliseconds: number
  readonly #repeats: boolean
  #cancel = () => {}

  constructor(time: VirtualTime, run: () => void, milliseconds: number, repeats: boolean) {
    this.#time = time
    this.#run = run
    this.#milliseconds = milliseconds
    this.#repeats = repeats
    this.refresh()
  }

  refresh(): this {
    this.#cancel()
    this.#cancel = this.#time.after(this.#milliseconds, () => {
      if (this.#repeats) this.refresh()
      this.#run()
    })
    return this
  }

  close(): this {
    this.#cancel()
    return this
  }

  ref = () => this
  unref = () => this
  hasRef = () => true
}

type Run = (...args: unknown[]) => void
interface Abortable {
  signal?: AbortSignal
}

const require = createRequire(import.meta.url)

/** Everything in this process that asks Node for the time, or waits, does so in `time` from now on. */
export function installTime(time: VirtualTime): void {
  const setTimeout = (run: Run, milliseconds = 1, ...args: unknown[]) =>
    new Timer(time, () => run(...args), milliseconds, false)
  const setInterval = (run: Run, milliseconds = 1, ...args: unknown[]) =>
    new Timer(time, () => run(...args), milliseconds, true)
  const clear = (timer: unknown) => void (timer instanceof Timer && timer.close())
  const setImmediate = (run: Run, ...args: unknown[]) => time.soon(() => run(...args))
  const clearImmediate = (immediate?: Immediate) => immediate?.close()
  const timers = { setTimeout, setInterval, setImmediate, clearTimeout: clear, clearInterval: clear, clearImmediate }
  const waiting = createWaits(time)
  for (const [name, wait] of Object.entries(waiting)) {
    // `as`: the names are those of the object.
    Object.defineProperty(timers[name as keyof typeof waiting], promisified, { value: wait })
  }
  Object.assign(globalThis, timers, { Date: dateOf(time) })
  Object.assign(require('node:timers'), timers)
  Object.assign(require('node:timers/promises'), waiting)
  performance.now = () => time.elapsed
  performance.eventLoopUtilization = () => ({ idle: 0, active: 0, utilization: 0 })
  AbortSignal.timeout = milliseconds => {
    const controller = new AbortController()
    time.after(milliseconds, () => controller.abort(new DOMException('the time is over', 'TimeoutError')))
    return controller.signal
  }
  syncBuiltinESMExports()
}

const promisified = promisify.custom

const cancelOf = (immediate: Immediate) => () => immediate.close()

function createWaits(time: VirtualTime) {
  const wait = <Value>(begin: (run: () => void) => () => void, value: Value, { signal }: Abortable = {}) =>
    new Promise<Value>((resolve, reject) => {
      const abort = () => {
        cancel()
        reject(Object.assign(new Error('aborted'), { name: 'AbortError', code: 'ABORT_ERR', cause: signal?.reason }))
      }
      const cancel = begin(() => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      })
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  return {
    setTimeout: <Value>(milliseconds?: number, value?: Value, options?: Abortable) =>
      wait(run => time.after(milliseconds ?? 1, run), value, options),
    setImmediate: <Value>(value?: Value, options?: Abortable) => wait(run => cancelOf(time.soon(run)), value, options),
  }
}

const dateOf = (time: VirtualTime) =>
  class extends RealDate {
    static override now = () => time.now

    constructor(...args: []) {
      // `as`: a date may be made of anything that Node's takes.
      super(...(args.length === 0 ? ([time.now] as unknown as []) : args))
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]'
    }
  }
