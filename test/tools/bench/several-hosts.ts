// Measures several hosts of one fleet, each in a process of its own, with a private PostgreSQL that flushes to disk.
//
// `node --import tsx test/tools/bench/several-hosts.ts [--computers 10000]` prints the table; with `--deaths` it runs what
// test/cluster/deaths.test.ts runs, with more agents and the default lease.
import { parseArgs } from 'node:util'
import { stopDatabase } from '../../cluster/scenarios/database-stopped.ts'
import { fireSchedules } from '../../cluster/scenarios/due-schedules.ts'
import { hop } from '../../cluster/scenarios/hopping-agents.ts'
import { killHost } from '../../cluster/scenarios/host-killed.ts'
import { pauseHost } from '../../cluster/scenarios/host-paused.ts'
import { endListeners } from '../../cluster/scenarios/lost-listeners.ts'
import { type FleetProcesses, inFleet } from '../../harness/fleet-processes.ts'
import { measureFleet } from './several-hosts/measure-fleet.ts'
import { table } from './table.ts'

const { values } = parseArgs({
  options: { computers: { type: 'string', default: '10000' }, deaths: { type: 'boolean', default: false } },
})

/** Three hosts, with the default of the option `cluster.lease_seconds`. */
const fleetOptions = { count: 3, leaseSeconds: 6 }

/** Name, and what it does, each in a fleet of its own. */
const deaths: [string, (fleet: FleetProcesses) => Promise<unknown>][] = [
  ['a host killed in a command to 600', fleet => killHost(fleet, 600, 60)],
  ['a host paused for 8 s', fleet => pauseHost(fleet, 100, 8)],
  ['1,000 queued parts of 100 agents that move', fleet => hop(fleet, 100, 10)],
  ['200 schedules due in one second', fleet => fireSchedules(fleet, 200)],
  ['the database killed for 5 s', fleet => stopDatabase(fleet, 50, 5)],
  ['20 connections for notifications ended', fleet => endListeners(fleet, 20)],
]

async function main(): Promise<void> {
  if (!values.deaths) return console.log(table(await measureFleet(Number(values.computers))))
  for (const [name, run] of deaths) console.log(`${name}: ${JSON.stringify(await inFleet(fleetOptions, run))}`)
}

await main()
