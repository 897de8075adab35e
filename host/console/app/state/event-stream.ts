// The one event stream of the page: open while the tab is visible, opened again when it breaks.
import { signal } from '@preact/signals'
import type { FleetEvent } from '../api/answers.ts'
import { get, urlOf } from '../api/request.ts'

/** `connecting` is also the time in which the daemon is away. */
export const connection = signal<'connecting' | 'live' | 'paused'>('paused')

export interface StreamListeners {
  /** The stream is open. `isComplete`: no event is missing since it was open before. */
  onOpen(isComplete: boolean): void
  onEvent(event: FleetEvent): void
}

/** Types that this page listens to: `EventSource` has no listener for all of them. */
const types = [
  ...['client-connected', 'client-gone', 'client-replaced', 'client-ready', 'client-state'],
  ...['session-login', 'session-logout', 'wake-sent', 'wake-answered', 'wake-timed-out'],
  ...['job-created', 'job-part', 'job-finished', 'job-progress'],
  ...['computer-added', 'computer-changed', 'computer-removed'],
  ...['image-added', 'image-changed', 'image-removed', 'schedule-added', 'schedule-changed', 'schedule-removed'],
  ...['module-loaded', 'module-failed', 'module-removed', 'client-refused', 'client-pending', 'mac-differs'],
  ...['adoption-refused', 'auth-failed'],
]

/** Milliseconds of the daemon's period for states of one client. */
const period = 250
/** Milliseconds until the stream is opened again. */
const retryTime = 500

let source: EventSource | undefined
let retry: ReturnType<typeof setTimeout> | undefined
/** The id of the newest event, '' before the first one. */
let newest = ''
let isStarted = false
let listeners: StreamListeners

export function startStream(own: StreamListeners): void {
  listeners = own
  if (!isStarted) document.addEventListener('visibilitychange', follow)
  isStarted = true
  newest = ''
  close()
  follow()
}

export function stopStream(): void {
  isStarted = false
  document.removeEventListener('visibilitychange', follow)
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
  connection.value = 'paused'
}

function open(): void {
  clearTimeout(retry)
  connection.value = 'connecting'
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
    connection.value = 'live'
    listeners.onOpen(isComplete)
  }
  for (const type of types) own.addEventListener(type, receive)
  own.onerror = () => reopen(own)
}

function receive(event: MessageEvent<string>): void {
  newest = event.lastEventId
  listeners.onEvent(JSON.parse(event.data))
}

/** Its own retry would wait longer, and it gives up for good when a proxy or the daemon refuses it. */
function reopen(failed: EventSource): void {
  if (source !== failed) return
  failed.close()
  source = undefined
  connection.value = 'connecting'
  retry = setTimeout(open, retryTime)
  // Leads to the login when the session has ended.
  void get('/me')
}
