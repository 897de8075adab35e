// Reads the daemon's events: parses the stream, and connects again where it has broken off.
import { setTimeout as wait } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'

/** The data of an event: what every event has, and keys that depend on its type. */
export interface EventData extends Record<string, unknown> {
  id: number
  /** ISO time. */
  time: string
  type: string
  clients: string[]
  /** Ids. */
  rooms: number[]
}

const firstPauseMilliseconds = 500
const maximumPauseMilliseconds = 10_000

/**
 * Ends when `signal` is aborted. Throws what the first connection throws, and refusals; after that the daemon may
 * restart: `onDisconnect` is called once for each time that the stream breaks off. The daemon sends again what was
 * missed. `onConnect` is called when nothing is missed any more.
 */
export async function* readEvents(
  { stream }: ApiClient,
  query: URLSearchParams,
  { signal, onDisconnect, onConnect }: { signal: AbortSignal; onDisconnect(reason: string): void; onConnect?(): void },
): AsyncGenerator<EventData> {
  let last = ''
  let connected = false
  let pause = firstPauseMilliseconds
  while (!signal.aborted) {
    const headers: Record<string, string> = last === '' ? {} : { 'Last-Event-ID': last }
    try {
      for await (const { id, event, data } of parseEvents(stream(`GET /events?${query}`, headers, signal))) {
        connected = true
        onConnect?.()
        pause = firstPauseMilliseconds
        if (id !== '') last = id
        if (data !== '' && event !== 'heartbeat') yield JSON.parse(data)
      }
      if (!signal.aborted) onDisconnect('the daemon closed the connection')
    } catch (error) {
      if (signal.aborted) return
      if (!connected || !(error instanceof CliError) || error.status !== undefined) throw error
      if (pause === firstPauseMilliseconds) onDisconnect(error.message)
    }
    await wait(pause, undefined, { signal }).catch(() => {})
    pause = Math.min(maximumPauseMilliseconds, pause * 2)
  }
}

/** Of server-sent events the fields that this daemon sends; a block without them has empty texts. */
async function* parseEvents(chunks: AsyncIterable<string>) {
  let text = ''
  for await (const chunk of chunks) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fieldOf = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? ''
      yield { id: fieldOf('id'), event: fieldOf('event'), data: fieldOf('data') }
    }
  }
}
