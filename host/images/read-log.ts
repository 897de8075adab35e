// Reads the console log that a client's live system serves by HTTP.
import { request } from 'node:http'
import { message } from '../system/log.ts'

export interface LogAddress {
  /** The client's address. */
  host: string
  port: number
  path: string
}

/** Milliseconds from the connection to the last byte. */
const limitMilliseconds = 2000

/** Only the last bytes of a log are kept. */
const keptBytes = 64 * 1024

/** A log of six hours has about 1 MB; what sends more is no log. */
const maxBytes = 2 * 1024 * 1024

/**
 * Resolves to the last part of the log, or to why there is none: the address is that of a computer which anybody may
 * have switched on, so whatever it sends is an answer, and redirects are not followed.
 */
export function readLog({ host, port, path }: LogAddress, signal: AbortSignal): Promise<{ text: string } | Unreadable> {
  return new Promise(resolve => {
    const tail = new Tail()
    const call = request({ host, port, path, agent: false, headers: { Accept: 'text/plain' } })
    const end = (result: { text: string } | Unreadable) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      call.destroy()
      resolve(result)
    }
    const fail = (problem: string) => end({ problem })
    const abort = () => fail('the command has ended')
    const timer = setTimeout(fail, limitMilliseconds, `no complete response in ${limitMilliseconds / 1000} s`)
    signal.addEventListener('abort', abort)
    call.on('error', error => fail(message(error)))
    // A response that switches protocols has no other event.
    call.on('close', () => fail('the connection was closed'))
    call.on('response', response => {
      response.on('error', error => fail(message(error)))
      if (response.statusCode !== 200) return fail(`status ${response.statusCode}`)
      response.on('data', (chunk: Buffer) => {
        tail.add(chunk)
        if (tail.size > maxBytes) fail(`expected at most ${maxBytes} bytes, got more`)
      })
      response.on('end', () => end({ text: tail.text() }))
    })
    if (signal.aborted) return abort()
    call.end()
  })
}

export interface Unreadable {
  problem: string
}

/** The last bytes of a stream. */
class Tail {
  /** Bytes so far. */
  size = 0
  #chunks: Buffer[] = []
  #length = 0

  add(chunk: Buffer): void {
    this.size += chunk.length
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < 2 * keptBytes) return
    const last = this.#last()
    this.#chunks = [last]
    this.#length = last.length
  }

  /** Without what is left of a line whose beginning was dropped. */
  text(): string {
    const text = this.#last().toString('utf8')
    return this.size > keptBytes ? text.replace(/^[^\r\n]*/, '') : text
  }

  #last(): Buffer {
    return Buffer.from(Buffer.concat(this.#chunks).subarray(-keptBytes))
  }
}
