// The events of a host that leaves the fleet: nobody else reports what has ended with its membership.
import type { EndedMember, EndedWork, Published } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'

export function eventsOfLeaving(host: string, { agents, ended }: EndedMember): Published['events'] {
  const time = Date.now()
  const events: FleetEvent[] = [
    { type: 'host-gone', host },
    ...agents.map((addr): FleetEvent => ({ type: 'client-gone', addr })),
    ...ended.flatMap(eventsOfWork),
  ]
  return events.map(event => ({ time, event }))
}

function eventsOfWork({ job: { id: job, name, by, steps }, parts, finished }: EndedWork): FleetEvent[] {
  const events = parts.map(({ client: addr, step, state, reason }): FleetEvent => {
    const command = steps[step]?.command ?? ''
    return { type: 'job-part', job, addr, command, state, ...(reason && { reason }) }
  })
  if (!finished) return events
  const counts = Object.fromEntries(Object.entries(finished.counts).filter(([, count]) => count > 0))
  return [...events, { type: 'job-finished', job, name, by, counts, addrs: finished.clients }]
}
