// The computers with somebody logged in, as the events of logins and logouts say.
import { detailsOf } from '../cluster/agent-details.ts'
import type { RemoteClients } from '../cluster/cluster.ts'
import type { SessionEntry, SessionsService } from '../contract/services.ts'
import type { Events } from '../system/events.ts'

export class LoggedIn implements SessionsService {
  /** By address; the newest login of each computer that is connected to this host. */
  readonly #sessions = new Map<string, SessionEntry>()
  readonly #remote: RemoteClients | undefined

  /** `remote`: the clients of other hosts of the fleet. */
  constructor(events: Events, remote?: RemoteClients) {
    this.#remote = remote
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

  /** Of the clients of this host. */
  has(addr: string): boolean {
    return this.#sessions.has(addr)
  }

  list(): SessionEntry[] {
    const others = this.#remote?.list() ?? []
    return [
      ...this.#sessions.values(),
      ...others.flatMap(client => {
        const { session } = detailsOf(client)
        return session ? { client: client.addr, ...session } : []
      }),
    ]
  }
}
