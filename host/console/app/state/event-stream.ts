// The one event stream of the page: open while the tab is visible, opened again when it breaks.
import { signal } from '@preact/signals'
import { type StreamEvent, streamedTypes } from '../../../contract/fleet-events.ts'
import { get, urlOf } from '../api/request.ts'
import { isOverdue } from './overdue-stream.ts'

/** `connecting` is also the time in which the daemon is away. */
export const connection = signal<'connecting' | 'live' | 'paused'>('paused')

/** When the daemon was heard last, while the page has no connection; undefined while it has one, or pauses. */
export const lostSince = signal<number | undefined>(undefined)

export interface StreamListeners {
  /** The stream is open. `isComplete`: no event is missing since it was open before. */
  onOpen(isComplete: boolean): void
  onEvent(event: StreamEvent): void
  onHeartbeat(): void
}

/** Milliseconds of the daemon's period for states of one client. */
const period = 250
/** Milliseconds until the stream is opened again. */
const retryTime = 500
/** Milliseconds without a connection that are not worth a word: opening the stream takes less. */
const patience = 800
/** Milliseconds between two looks at the clock. */
const checkPeriod = 1000

let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
let losing: ReturnType<typeof setTimeout> | undefined
let watch: ReturnType<typeof setInterval> | undefined
/** Times by the clock, which goes on while the machine sleeps: when the daemon was heard, and the stream was opened. */
let heard = 0
let opened = 0
/** The id of the newest event, '' before the first one. */
let newest = ''
let isStarted = false
let listeners: StreamListeners

/** `after`: the id of an event after which the page has read, or reads, everything. */
export function startStream(pageListeners: StreamListeners, after?: number): void {
  if (isStarted) stopStream()
  isStarted = true
  listeners = pageListeners
  newest = after === undefined ? '' : String(after)
  heard = Date.now()
  document.addEventListener('visibilitychange', follow)
  // They stay: without a stream they do nothing.
  addEventListener('offline', renewTwice)
  addEventListener('online', renewTwice)
  watch = setInterval(check, checkPeriod)
  follow()
}

export function stopStream(): void {
  isStarted = false
  document.removeEventListener('visibilitychange', follow)
  clearInterval(watch)
  close()
}

function follow(): void {
  if (document.hidden) close()
  else if (!source) open()
}

function close(): void {
  clearTimeout(retry)
  source?.close()
  source = undefined
  setConnection('paused')
}

function setConnection(next: typeof connection.value): void {
  if (next === connection.peek()) return
  connection.value = next
  clearTimeout(losing)
  if (next !== 'connecting') lostSince.value = undefined
  else {
    losing = setTimeout(() => {
      lostSince.value = heard
    }, patience)
  }
}

function check(): void {
  const state = connection.peek()
  if (source && state !== 'paused' && isOverdue(state, state === 'live' ? heard : opened, Date.now())) renew()
}

/** No event is lost by it, and on a good line nothing is seen of it. */
function renew(): void {
  if (!isStarted || document.hidden) return
  source?.close()
  open()
}

/** A browser may say that it is offline, or not, a moment before it is. */
function renewTwice(): void {
  renew()
  setTimeout(renew, checkPeriod)
}

function open(): void {
  clearTimeout(retry)
  setConnection('connecting')
  opened = Date.now()
  const after = newest === '' ? '' : `&last_event_id=${newest}`
  const own = new EventSource(urlOf(`/events?coalesce=${period}${after}`))
  source = own
  let isComplete = after !== ''
  // The first event after a restart says that events are missing; it comes right after the stream is open.
  own.addEventListener('events-missing', event => {
    newest = event.lastEventId
    isComplete = false
    listeners.onOpen(false)
  })
  own.onopen = () => {
    heard = Date.now()
    setConnection('live')
    listeners.onOpen(isComplete)
  }
  own.addEventListener('heartbeat', () => {
    heard = Date.now()
    listeners.onHeartbeat()
  })
  // It has no listener for all types.
  for (const type of streamedTypes) own.addEventListener(type, receive)
  own.onerror = () => reopen(own)
}

function receive(event: MessageEvent<string>): void {
  heard = Date.now()
  newest = event.lastEventId
  listeners.onEvent(JSON.parse(event.data))
}

/** Its own retry would wait longer, and it gives up for good when a proxy or the daemon refuses it. */
function reopen(failed: EventSource): void {
  if (source !== failed) return
  failed.close()
  source = undefined
  setConnection('connecting')
  retry = setTimeout(open, retryTime)
  // Leads to the login when the session has ended.
  void get('/me')
}
