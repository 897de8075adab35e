// What is lost when a host, the database or a connection for notifications dies, with real processes.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { type FleetProcesses, startFleet } from '../harness/fleet-processes.ts'
import { postgresPrograms } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { stopDatabase } from './scenarios/database-stopped.ts'
import { hop } from './scenarios/hopping-agents.ts'
import { killHost } from './scenarios/host-killed.ts'
import { pauseHost } from './scenarios/host-paused.ts'
import { endListeners } from './scenarios/lost-listeners.ts'

export const runs = { seconds: 53 }

if (postgresPrograms === undefined) skipFile('postgresql')

/** Where no host is to die, one that gets no processor for some seconds must not be declared gone. */
const noDeath = { leaseSeconds: 12 }

/** Of the host that dies: the tests wait for it. */
const death = { leaseSeconds: 6 }

/** One for all tests: most of their processor time would be that of starts. */
let fleet: FleetProcesses | undefined

/** After a test that fails the next one gets a new fleet. */
async function inFleet<Result>(run: (fleet: FleetProcesses) => Promise<Result>): Promise<Result> {
  fleet ??= await startFleet({ count: 3, ...noDeath })
  try {
    return await run(fleet)
  } catch (error) {
    const explained = fleet.explain(error)
    await endFleet()
    throw explained
  }
}

async function endFleet(): Promise<void> {
  const ended = fleet
  fleet = undefined
  await ended?.end()
}

// `npm run bench -- deaths` runs the same with more agents and the default lease, each in a fleet of its own.
const faults = suite('several hosts: faults')

faults('queued parts of agents that move between hosts are sent once and have an outcome', async () => {
  const outcomes = await inFleet(fleet => hop(fleet, 20, 5))
  equal((outcomes.success ?? 0) + (outcomes['failure: connection lost'] ?? 0), 100)
})

faults('connections for notifications that end cost nothing but time', async () => {
  ok((await inFleet(fleet => endListeners(fleet, 4))) > 0)
})

faults('the database is killed under load: nothing acknowledged is lost, all agents stay connected', async () => {
  ok((await inFleet(fleet => stopDatabase(fleet, 10, 2))).acknowledged > 100)
})

faults.run()

const deaths = suite('several hosts: deaths')
deaths.after(endFleet)

deaths.before(() =>
  inFleet(async fleet => {
    const [, mortal] = fleet.hosts
    mortal?.program.kill('SIGTERM')
    await mortal?.program.ended
    await fleet.restart(1, death)
  }),
)

deaths('a host that is paused for longer than its lease joins again, and no part is sent twice', async () => {
  ok(await inFleet(fleet => pauseHost(fleet, 20, 4)))
})

deaths('a host that is killed: each part has an outcome, its agents get their queue from another host', async () => {
  const { outcomes } = await inFleet(fleet => killHost(fleet, 60, 30))
  equal(outcomes, { success: 40, 'failure: host gone': 20 })
})

deaths.run()
