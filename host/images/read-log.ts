// Reads the console log that a client's live system serves by HTTP.
import { request } from 'node:http'
import { message } from '../log/log.ts'

interface LogAddress {
  host: string
  port: number
  path: string
}

/** Milliseconds from the connection to the last byte. */
const limitMilliseconds = 2000

/** A log of six hours has about 1 MB; what sends more is no log. */
const maxBytes = 2 * 1024 * 1024

interface Unreadable {
  problem: string
}

/**
 * The address is that of a computer which anybody may have switched on, so whatever it sends is an answer, and redirects
 * are not followed.
 */
export function readLog(
  { host, port, path }: LogAddress,
  signal: AbortSignal,
): Promise<{ bytes: Buffer } | Unreadable> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    const call = request({ host, port, path, agent: false, headers: { Accept: 'text/plain' } })
    const end = (result: { bytes: Buffer } | Unreadable) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      call.destroy()
      resolve(result)
    }
    const fail = (problem: string) => end({ problem })
    const onError = (error: Error) => fail(message(error))
    const abort = () => fail('the command has ended')
    const timer = setTimeout(fail, limitMilliseconds, `no complete response in ${limitMilliseconds / 1000} s`)
    signal.addEventListener('abort', abort)
    call.on('error', onError)
    // A response that switches protocols has no other event.
    call.on('close', () => fail('the connection was closed'))
    call.on('response', response => {
      response.on('error', onError)
      if (response.statusCode !== 200) return fail(`status ${response.statusCode}`)
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) return fail(`expected at most ${maxBytes} bytes, got more`)
        chunks.push(chunk)
      })
      response.on('end', () => end({ bytes: Buffer.concat(chunks) }))
    })
    if (signal.aborted) return abort()
    call.end()
  })
}

type Waiter = () => void

/** Limits how many logs are read at once; reads that decide about an outcome go first. */
export class ReadQueue {
  readonly #limit: number
  #running = 0
  readonly #urgent: Waiter[] = []
  readonly #waiting: Waiter[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  async run<Result>(read: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
    if (this.#running < this.#limit) this.#running += 1
    else await new Promise<void>(resolve => (isUrgent ? this.#urgent : this.#waiting).push(resolve))
    try {
      return await read()
    } finally {
      const next = this.#urgent.shift() ?? this.#waiting.shift()
      // The next one takes over the slot of this one.
      if (next) next()
      else this.#running -= 1
    }
  }
}
