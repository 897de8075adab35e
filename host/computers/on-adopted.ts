// What follows when clients have got records: they are refreshed, and their hardware addresses are compared.
import type { AgentServices } from '../agents/create-agents.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Events } from '../system/events.ts'
import { createRefresh } from './adopt.ts'

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
