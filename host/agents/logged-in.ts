// The computers with somebody logged in, as the events of logins and logouts say.
import type { SessionEntry, SessionsService } from '../services.ts'
import type { Events } from '../system/events.ts'

export class LoggedIn implements SessionsService {
  /** By address; the newest login of each computer. */
  readonly #sessions = new Map<string, SessionEntry>()

  constructor(events: Events) {
    events.on(
      event => {
        if (event.type !== 'session-login') return
        const { addr: client, user } = event
        this.#sessions.set(client, user === undefined ? { client } : { client, user })
      },
      ['session-login'],
    )
    // A new connection says nothing of the logins before it.
    events.on(
      event => {
        if ('addr' in event) this.#sessions.delete(event.addr)
      },
      ['session-logout', 'client-gone', 'client-connected'],
    )
  }

  list(): SessionEntry[] {
    return [...this.#sessions.values()]
  }
}
