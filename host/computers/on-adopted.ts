// What follows when clients have got records: they are refreshed, and their hardware addresses are compared.
import type { AgentServices } from '../agents/create-agents.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Events, FleetEvent } from '../system/events.ts'

export function createOnAdopted(
  events: Events,
  { fleet, neighbours }: Pick<AgentServices, 'fleet' | 'neighbours'>,
  jobs: Pick<Jobs, 'connectRequest'>,
) {
  const refresh = createRefresh({
    events,
    send(addr) {
      const request = jobs.connectRequest(addr)
      return request ? fleet.send(addr, request) : 'sent'
    },
  })
  return (addrs: string[]) => {
    refresh(addrs)
    for (const addr of addrs) neighbours.add(addr)
  }
}

interface RefreshDeps {
  events: Events
  /** Sends the command for new connections. */
  send(addr: string): 'sent' | 'busy' | 'not connected'
}

/**
 * Returns the function that sends a refresh to adopted clients, at once or when they are idle; those of other hosts of the
 * fleet are refreshed by these.
 */
export function createRefresh({ events, send }: RefreshDeps): (addrs: readonly string[]) => void {
  const waiting = new Set<string>()

  /** False when the client is not connected to this host. */
  function refresh(addr: string): boolean {
    const result = send(addr)
    if (result === 'busy') waiting.add(addr)
    // A new connection is sent the command anyway.
    else waiting.delete(addr)
    return result !== 'not connected'
  }

  function retry(event: FleetEvent): void {
    if (waiting.size === 0 || !('addr' in event) || !waiting.has(event.addr)) return
    // When the others that wait for the end of the command have been notified.
    setImmediate(refresh, event.addr)
  }

  events.on(retry, ['command-ended', 'client-gone'])
  events.on(
    (event, isRelayed) => {
      if (isRelayed && event.type === 'clients-adopted') for (const addr of event.addrs) refresh(addr)
    },
    ['clients-adopted'],
  )
  return addrs => {
    const others = addrs.filter(addr => !refresh(addr))
    if (others.length > 0) events.emit({ type: 'clients-adopted', addrs: others })
  }
}
