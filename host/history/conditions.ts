// What the history says of a computer: its state, whether somebody is logged in, and what it counts as.
import type { ClientEntry } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'

/** Of these each computer is in one. Counts have them in this order, and after them the computers that have failed. */
export const conditions = ['free', 'in_use', 'busy', 'waking', 'off'] as const

export interface Look {
  state: (typeof states)[number]
  inUse: boolean
  /** Where the options allow it. */
  user?: string | undefined
}

/** A number in what is stored is a place in this list: new ones come at the end. */
export const states = ['off', 'waking', 'busy', 'oglive', 'linux', 'windows', 'virtual'] as const

export const off: Look = { state: 'off', inUse: false }

/** The events that change the look of a computer. */
export const lookEvents = [
  ...(['client-connected', 'client-gone', 'client-state', 'session-login', 'session-logout'] as const),
  ...(['wake-sent', 'wake-timed-out'] as const),
] as const

type LookEvent = Extract<FleetEvent, { type: (typeof lookEvents)[number] }>

export const isLookEvent = (event: FleetEvent): event is LookEvent => lookEvents.some(type => type === event.type)

export const isSame = (one: Look, other: Look): boolean =>
  one.state === other.state && one.inUse === other.inUse && one.user === other.user

export function conditionOf({ state, inUse }: Look): (typeof conditions)[number] {
  if (state === 'off' || state === 'waking' || state === 'busy') return state
  return inUse ? 'in_use' : 'free'
}

/** `session`: undefined without one. */
export function lookOf({ state, status }: Pick<ClientEntry, 'state' | 'status'>, session?: { user?: string }): Look {
  const isInUse = session !== undefined || status?.endsWith('-session') === true
  return { state: stateOf(state, status), inUse: isInUse, user: session?.user }
}

export function lookAfter(before: Look, event: LookEvent): Look {
  switch (event.type) {
    case 'client-connected':
      return { state: 'oglive', inUse: false }
    case 'client-gone':
      return event.replaced ? before : off
    case 'client-state':
      return {
        ...before,
        state: stateOf(event.state, event.status),
        inUse: before.inUse || event.status.endsWith('-session'),
      }
    case 'session-login':
      return { ...before, inUse: true, user: event.user }
    case 'session-logout':
      return { state: before.state, inUse: false }
    case 'wake-sent':
      return before.state === 'off' ? { ...off, state: 'waking' } : before
    case 'wake-timed-out':
      return before.state === 'waking' ? off : before
  }
}

/** A new connection is one of the live system until its agent says another. */
function stateOf(state: string, status = ''): Look['state'] {
  if (state === 'WOL_SENT') return 'waking'
  if (state === 'BSY') return 'busy'
  return states.find(each => each === status.replace('-session', '')) ?? 'oglive'
}
