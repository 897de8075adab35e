// A reader of the event stream, as a program or a browser is one.
import { get, type IncomingMessage } from 'node:http'
import { token } from './test-host.ts'

export interface Told {
  id: number
  time: string
  type: string
  clients: string[]
  rooms: number[]
  [more: string]: unknown
}

export interface Reader {
  status: number
  headers: IncomingMessage['headers']
  /** All events so far. */
  events: Told[]
  /** All that came, as it came. */
  text(): string
  /** Resolves with the first event that fits, one that is there already or the next. */
  first(fits: Record<string, unknown>): Promise<Told>
  /** Resolves when the text passes. */
  until(passes: (text: string) => boolean): Promise<void>
  /** Reads nothing more, and leaves the connection as it is. */
  pause(): void
  resume(): void
  /** Resolves when the stream is over, whoever ended it. */
  ended: Promise<void>
  close(): void
}

/** Milliseconds that a test waits for an event; a busy machine takes some seconds. */
const patience = 20_000

export function readEvents(port: number, query = '', headers: Record<string, string> = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const asked = { host: '127.0.0.1', port, path: `/events${query}`, agent: false }
    const sending = get({ ...asked, headers: { Authorization: token, ...headers } })
    sending.on('error', reject)
    sending.on('response', response => resolve(follow(response)))
  })
}

function follow(response: IncomingMessage): Reader {
  const chunks: string[] = []
  /** The beginning of an event whose end has not come. */
  let rest = ''
  const text = () => chunks.join('')
  const events: Told[] = []
  const waiting = new Set<() => void>()
  response.setEncoding('utf8')
  response.on('data', chunk => {
    chunks.push(chunk)
    const blocks = `${rest}${chunk}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) events.push(JSON.parse(data))
    }
    for (const look of waiting) look()
  })
  const ended = new Promise<void>(resolve => response.on('close', resolve))
  response.on('error', () => {})

  const wait = <Result>(what: string, look: () => Result | undefined) =>
    new Promise<Result>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`waited for ${what}: ${text().slice(-2000)}`)), patience)
      const tryIt = () => {
        const found = look()
        if (found === undefined) return
        clearTimeout(timer)
        waiting.delete(tryIt)
        resolve(found)
      }
      waiting.add(tryIt)
      tryIt()
    })
  const fitting = (fits: Record<string, unknown>) => (event: Told) =>
    Object.entries(fits).every(([key, value]) => JSON.stringify(event[key]) === JSON.stringify(value))
  return {
    ...{ status: response.statusCode ?? 0, headers: response.headers, events, ended },
    text,
    first: fits => wait(JSON.stringify(fits), () => events.find(fitting(fits))),
    until: async passes => void (await wait('a text', () => passes(text()) || undefined)),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  }
}
