// A store that several hosts have used and one that a single daemon has used: each is continued by the other.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { type FleetHost, startFleet } from '../harness/fleet-processes.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms } from '../harness/postgres.ts'
import { startRoamingAgents } from '../harness/roaming-agents.ts'
import { skipFile } from '../harness/skip-file.ts'
import { countsOf, jobOf, partsOf, secondsUntilEnded, secondsUntilListed } from './scenarios/fleet-steps.ts'

export const runs = { seconds: 21 }

if (postgresPrograms === undefined) skipFile('postgresql')

const [silent, later, ofB] = ['127.76.0.1', '127.76.0.2', '127.76.0.3']

const test = suite('from several hosts to one, and back')

/** Two hosts whose option `cluster` may be left out at their next start; `silent` never replies. */
async function startLab() {
  // Read again at each start.
  const options: Record<string, object> = {}
  const fleet = await startFleet({ count: 2, options })
  const homes = new Map<string, FleetHost | undefined>()
  const agents = startRoamingAgents({
    addrs: [silent, later, ofB],
    portOf: addr => homes.get(addr)?.agents,
    replyTo: addr => (addr === silent ? undefined : { status: 200, body: { out: addr } }),
  })
  return {
    ...{ options, fleet, homes, agents },
    async killAll() {
      for (const { program } of fleet.hosts) program.kill('SIGKILL')
      homes.clear()
      await pollUntil(async () => [silent, later, ofB].every(addr => !agents.isConnected(addr)))
    },
  }
}

async function run(host: FleetHost, client: string, script: string, query = ''): Promise<number> {
  return jobOf((await host.call(`POST /shell/run${query}`, { clients: [client], run: script, echo: true })).headers)
}

async function outcomeOf(host: FleetHost, job: number): Promise<Record<string, number>> {
  await secondsUntilEnded([host], job, 30)
  return countsOf(await partsOf([host], job))
}

test('what several hosts have left is continued by one daemon without the option, and the other way round', async () => {
  const { options, fleet, homes, agents, killAll } = await startLab()
  const [a, b] = fleet.hosts
  if (!a || !b) throw new Error('expected two hosts')
  try {
    await fleet.addComputers([silent, later, ofB])
    homes.set(silent, a).set(ofB, b)
    await secondsUntilListed(a, [silent, ofB], 20)
    const sent = await run(a, silent, 'first;|')
    const queued = await run(a, later, 'second;|', '?queue=1')
    // Host b cannot claim what it is to send at once.
    process.kill(b.program.pid, 'SIGSTOP')
    const unclaimed = await run(a, ofB, 'third;|')
    await killAll()

    Reflect.set(options, 'cluster', undefined)
    await fleet.restart(0)
    const [one] = fleet.hosts
    if (!one) throw new Error('expected a daemon')
    equal(await outcomeOf(one, sent), { 'failure: daemon restarted': 1 })
    homes.set(later, one).set(ofB, one).set(silent, one)
    equal(await outcomeOf(one, queued), { success: 1 })
    const [part] = await partsOf([one], unclaimed)
    equal([part?.state === 'success', agents.received.get(`${ofB} third;|`)], [false, undefined])
    await secondsUntilEnded([one], unclaimed, 10)
    await secondsUntilListed(one, [silent, later, ofB], 20)
    const sentByOne = await run(one, silent, 'fourth;|')
    homes.delete(later)
    agents.move(later)
    await secondsUntilListed(one, [silent, ofB], 20)
    const queuedByOne = await run(one, later, 'fifth;|', '?queue=1')
    await killAll()

    Reflect.deleteProperty(options, 'cluster')
    await fleet.restart(0)
    await fleet.restart(1)
    const [first, second] = fleet.hosts
    if (!first || !second) throw new Error('expected two hosts')
    equal(await outcomeOf(second, sentByOne), { 'failure: daemon restarted': 1 })
    equal(countsOf(await partsOf([first], queuedByOne)), { queued: 1 })
    homes.set(later, second)
    equal(await outcomeOf(first, queuedByOne), { success: 1 })
    await secondsUntilListed(first, [later], 20)
    equal(agents.repeated(), [])
  } catch (error) {
    throw fleet.explain(error)
  } finally {
    await agents.stop()
    await fleet.end()
  }
})

test.run()
