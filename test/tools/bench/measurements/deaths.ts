// What is lost when hosts, the database or connections die: test/cluster/deaths.test.ts with more agents and the default lease.
import { stopDatabase } from '../../../cluster/scenarios/database-stopped.ts'
import { fireSchedules } from '../../../cluster/scenarios/due-schedules.ts'
import { hop } from '../../../cluster/scenarios/hopping-agents.ts'
import { killHost } from '../../../cluster/scenarios/host-killed.ts'
import { pauseHost } from '../../../cluster/scenarios/host-paused.ts'
import { endListeners } from '../../../cluster/scenarios/lost-listeners.ts'
import { type FleetProcesses, inFleet } from '../../../harness/fleet-processes.ts'
import type { Measurement, Row } from '../measurement.ts'

/** Three hosts, with the default of the option `cluster.lease_seconds`. */
const fleetOptions = { count: 3, leaseSeconds: 6 }

/** Name, and what it does, each in a fleet of its own. */
const scenarios: [string, (fleet: FleetProcesses) => Promise<unknown>][] = [
  ['a host killed in a command to 600', fleet => killHost(fleet, 600, 60)],
  ['a host paused for 8 s', fleet => pauseHost(fleet, 100, 8)],
  ['1,000 queued parts of 100 agents that move', fleet => hop(fleet, 100, 10)],
  ['200 schedules due in one second', fleet => fireSchedules(fleet, 200)],
  ['the database killed for 5 s', fleet => stopDatabase(fleet, 50, 5)],
  ['20 connections for notifications ended', fleet => endListeners(fleet, 20)],
]

export const deaths: Measurement = {
  name: 'deaths',
  sizes: [600],
  async run() {
    const rows: Row[] = []
    for (const [name, run] of scenarios) {
      const began = performance.now()
      const result = JSON.stringify(await inFleet(fleetOptions, run))
      rows.push({ figure: `${name}: ${result}`, measured: (performance.now() - began) / 1000, unit: 's' })
    }
    return rows
  },
}
