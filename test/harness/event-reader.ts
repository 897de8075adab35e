// A reader of the event stream that behaves like a program or a browser.
import { get, type IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { token } from './rest-call.ts'

export interface EventJson {
  id: number
  time: string
  type: string
  clients: string[]
  rooms: number[]
  [more: string]: unknown
}

export type Reader = ReturnType<typeof follow>

/** Milliseconds that a test waits for an event; a busy machine takes some seconds. */
const waitMilliseconds = 60_000

export function readEvents(port: number, query = '', headers: Record<string, string> = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const request = get({
      host: '127.0.0.1',
      port,
      path: `/events${query}`,
      agent: false,
      headers: { Authorization: token, ...headers },
    })
    request.on('error', reject)
    request.on('response', response => resolve(follow(response)))
  })
}

function follow(response: IncomingMessage) {
  const chunks: string[] = []
  /** The beginning of an event that is not complete yet. */
  let incomplete = ''
  const text = () => chunks.join('')
  const events: EventJson[] = []
  const waiting = new Set<() => void>()
  response.setEncoding('utf8')
  response.on('data', chunk => {
    chunks.push(chunk)
    const blocks = `${incomplete}${chunk}`.split('\n\n')
    incomplete = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      // They come when it takes long.
      if (data !== undefined && !block.includes('event: heartbeat')) events.push(JSON.parse(data))
    }
    for (const check of waiting) check()
  })
  const ended = new Promise<void>(resolve => response.on('close', resolve))
  response.on('error', () => {})

  const wait = <Result>(awaited: string, find: () => Result | undefined) =>
    new Promise<Result>((resolve, reject) => {
      const fail = () => reject(new Error(`waited for ${awaited}, got ${text().slice(-2000)}`))
      const timer = setTimeout(fail, waitMilliseconds)
      const check = () => {
        const result = find()
        if (result === undefined) return
        clearTimeout(timer)
        waiting.delete(check)
        resolve(result)
      }
      waiting.add(check)
      check()
    })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    /** All events so far, without heartbeats. */
    events,
    /** Resolves when either side has ended the stream. */
    ended,
    /** All text so far. */
    text,
    /** Resolves with the first event, past or future, whose keys have these values. */
    first: (fields: Record<string, unknown>) =>
      wait(JSON.stringify(fields), () => events.find(event => hasFields(event, fields))),
    /** Resolves when the predicate accepts the text so far. */
    until: async (predicate: (text: string) => boolean) =>
      void (await wait('a text', () => predicate(text()) || undefined)),
    /** Stops reading; the connection stays open. */
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  }
}

function hasFields(event: EventJson, fields: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([key, value]) => isDeepStrictEqual(event[key], value))
}
