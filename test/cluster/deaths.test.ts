// What is lost when a host, the database or a connection for notifications dies, with real processes.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { postgresPrograms } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { stopDatabase } from './scenarios/database-stopped.ts'
import { hop } from './scenarios/hopping-agents.ts'
import { killHost } from './scenarios/host-killed.ts'
import { pauseHost } from './scenarios/host-paused.ts'
import { endListeners } from './scenarios/lost-listeners.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

/** Where no host is to die, one that gets no processor for some seconds must not be declared gone. */
const noDeath = { leaseSeconds: 12 }

// `test/bench/several-hosts.ts` runs the same with more agents and the default lease.
const test = suite('several hosts: deaths')

test('a host that is killed: each part has an outcome, its agents get their queue from another host', async () => {
  const { outcomes } = await killHost(60, 30, { leaseSeconds: 6 })
  equal(outcomes, { success: 40, 'failure: host gone': 20 })
})

test('a host that is paused for longer than its lease joins again, and no part is sent twice', async () => {
  ok(await pauseHost(20, 4))
})

test('queued parts of agents that move between hosts are sent once and have an outcome', async () => {
  const outcomes = await hop(20, 5, noDeath)
  equal((outcomes.success ?? 0) + (outcomes['failure: connection lost'] ?? 0), 100)
})

test('the database is killed under load: nothing acknowledged is lost, all agents stay connected', async () => {
  ok((await stopDatabase(10, 2, noDeath)).acknowledged > 100)
})

test('connections for notifications that end cost nothing but time', async () => {
  ok((await endListeners(4, noDeath)) > 0)
})

test.run()
