// Who is logged in, and what of it is reported to the daemon, which keeps one user for each computer.
export interface LoginEvent {
  action: 'start' | 'stop'
  user: string
  /** Nobody can be at the computer but who unlocks it. */
  locked?: true
}

/** Whether their sessions are locked, by the names of users in the order of their logins. */
export type Logins = ReadonlyMap<string, boolean>

/** All of these users as if they had just logged in; one whose session is not locked comes last. */
export function startEvents(logins: Logins): LoginEvent[] {
  const events = [...logins].map(
    ([user, isLocked]): LoginEvent => ({ action: 'start', user, ...(isLocked && { locked: true }) }),
  )
  return events.sort((a, b) => Number(b.locked ?? false) - Number(a.locked ?? false))
}

/**
 * What has changed between two looks. When a session was locked or unlocked, the user who is to be shown starts again: one
 * whose session is not locked, if there is any.
 */
export function changeEvents(before: Logins, now: Logins): LoginEvent[] {
  const ended = [...before.keys()].filter(user => !now.has(user)).map((user): LoginEvent => ({ action: 'stop', user }))
  const started = startEvents(new Map([...now].filter(([user]) => !before.has(user))))
  const isChanged = [...now].some(([user, isLocked]) => before.has(user) && before.get(user) !== isLocked)
  const shown = startEvents(now).slice(-1)
  const again = isChanged && shown[0]?.user !== started.at(-1)?.user ? shown : []
  return [...ended, ...started, ...again]
}
