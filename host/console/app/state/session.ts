// Who uses the page: undefined until the daemon has said it, null for somebody who has to log in.
import { signal } from '@preact/signals'
import type { CallerAnswer, LoginStartAnswer, LogoutAnswer } from '../../../contract/answers.ts'
import { get, postAgain, type Reply, setUnauthorizedHandler } from '../api/request.ts'
import { forgetDrafts } from './drafts.ts'
import { startStream, stopStream } from './event-stream.ts'
import { receiveEvent, repeatReads, startEvents } from './events.ts'
import { leaveFor, ownAddress } from './provider-return.ts'
import { doNotAskBeforeUnload, keepNothing } from './reload.ts'
import { redirected, takeLoginLink, wallToken } from './route.ts'

export const me = signal<CallerAnswer | null | undefined>(undefined)
/** Why the caller has to log in again. */
export const loginNote = signal<'' | 'ended' | 'unreachable' | 'link' | 'provider'>('')
/** Why the provider's login has failed, where the caller may know it. */
export const providerReason = signal('')

export async function resumeSession(): Promise<void> {
  setUnauthorizedHandler(() => {
    if (me.peek()) void end('ended')
  })
  const link = takeLoginLink()
  if (link !== undefined && (await logIn({ link })).ok) return
  if (redirected !== undefined && (await logInByProvider(redirected))) return
  const reply = await get<CallerAnswer>('/me')
  if (reply.value) begin(reply.value)
  else if (reply.status === 0) await end('unreachable')
  else await end(link !== undefined ? 'link' : redirected !== undefined ? 'provider' : '')
}

export type Credentials =
  | { name: string; password: string }
  | { token: string }
  | { link: string }
  | { redirected: string }

export async function logIn(credentials: Credentials): Promise<Reply<CallerAnswer>> {
  const reply = await postAgain<CallerAnswer>('/login', credentials)
  if (reply.value) begin(reply.value)
  return reply
}

async function logInByProvider(redirected: string): Promise<boolean> {
  const { ok, status, reason } = await logIn({ redirected })
  if (status === 403) providerReason.value = reason
  return ok
}

/** The browser leaves the page when the provider answers. */
export async function goToProvider(): Promise<Reply<LoginStartAnswer>> {
  const reply = await postAgain<LoginStartAnswer>('/login/start', { redirect: ownAddress() })
  if (reply.value) leaveFor(reply.value.url)
  return reply
}

/** Returns the reply: a session that the daemon could not end goes on. */
export async function logOut(): Promise<Reply<LogoutAnswer>> {
  const reply = await postAgain<LogoutAnswer>('/logout', { redirect: ownAddress() })
  // Also before the browser leaves: it may come back to this page.
  if (reply.ok) void end('')
  if (reply.value?.url !== undefined) location.assign(reply.value.url)
  return reply
}

/** Whether the caller's role includes this one. */
export const may = (role: 'operate' | 'admin'): boolean =>
  me.value?.role === 'admin' || (role === 'operate' && me.value?.role === 'operate')

const nameKey = 'fleet-user'
/** Of the caller who was logged in last; '' before the first one. */
let lastName = sessionStorage.getItem(nameKey) ?? ''

/** Whether the caller may use all computers. */
export function isUnlimited(): boolean {
  const { centers = ['?'], rooms = [], groups = [] } = me.value ?? {}
  return centers.length + rooms.length + groups.length === 0
}

/** Whether the caller may write what decides which computers others may use: groups and tags. */
export const mayGroup = (): boolean => may('admin') && isUnlimited()

function begin(caller: CallerAnswer): void {
  // Another caller starts with an empty page. Who logs in again finds what was selected and typed.
  const isOther = lastName !== '' && lastName !== caller.name
  lastName = caller.name
  sessionStorage.setItem(nameKey, lastName)
  if (isOther) {
    doNotAskBeforeUnload()
    forgetDrafts()
    keepNothing()
    return location.reload()
  }
  loginNote.value = ''
  me.value = caller
  const after = caller.last_event_id
  startStream({ onOpen: startEvents, onEvent: receiveEvent, onHeartbeat: repeatReads }, after)
  // The stream then has what happens from now on, also before it is open.
  if (after !== undefined) startEvents(false)
}

/** Milliseconds until a wall display tries again to log in. */
const wallRetry = 5_000

/** Until the daemon answers: nobody is at the screen. */
async function logInToWall(): Promise<boolean> {
  me.value = undefined
  let reply = await logIn({ token: wallToken() })
  while (reply.status === 0) {
    await new Promise(resolve => setTimeout(resolve, wallRetry))
    reply = await logIn({ token: wallToken() })
  }
  return reply.ok
}

async function end(note: typeof loginNote.value): Promise<void> {
  stopStream()
  if (wallToken() !== '' && (await logInToWall())) return
  loginNote.value = note
  me.value = null
}
