// Who uses the page: undefined until the daemon has said it, null for somebody who has to log in.
import { signal } from '@preact/signals'
import type { CallerAnswer } from '../api/answers.ts'
import { get, post, type Reply, setUnauthorizedHandler } from '../api/request.ts'
import { startStream, stopStream } from './event-stream.ts'
import { receiveEvent, startEvents } from './events.ts'

export const me = signal<CallerAnswer | null | undefined>(undefined)
/** Why the caller has to log in again. */
export const loginNote = signal<'' | 'ended' | 'unreachable'>('')

export async function resumeSession(): Promise<void> {
  setUnauthorizedHandler(() => {
    if (me.peek()) end('ended')
  })
  const reply = await get<CallerAnswer>('/me')
  if (reply.value) begin(reply.value)
  else end(reply.status === 0 ? 'unreachable' : '')
}

export type Credentials = { name: string; password: string } | { token: string }

export async function logIn(credentials: Credentials): Promise<Reply<CallerAnswer>> {
  const reply = await post<CallerAnswer>('/login', credentials)
  if (reply.value) begin(reply.value)
  return reply
}

export async function logOut(): Promise<void> {
  await post('/logout')
  end('')
}

/** Whether the caller's role includes this one. */
export const may = (role: 'operate' | 'admin'): boolean =>
  me.value?.role === 'admin' || (role === 'operate' && me.value?.role === 'operate')

function begin(caller: CallerAnswer): void {
  loginNote.value = ''
  me.value = caller
  startStream({ onOpen: startEvents, onEvent: receiveEvent })
}

function end(note: '' | 'ended' | 'unreachable'): void {
  stopStream()
  loginNote.value = note
  me.value = null
}
