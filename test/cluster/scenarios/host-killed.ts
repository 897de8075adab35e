// A host is killed while it sends a command to its clients: every part has an outcome, and its agents get their queue elsewhere.
import { equal, ok } from 'uvu/assert'
import type { FleetHost, FleetProcesses } from '../../harness/fleet-processes.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { addressesOf, countsOf, jobOf, partsOf, secondsUntilEnded, secondsUntilListed } from './fleet-steps.ts'

export interface KillResult {
  /** Seconds from the kill. */
  ended: number
  listed: number
  outcomes: Record<string, number>
}

/** Kills the second of three hosts. `most`: seconds in which everything must be right. */
export async function killHost(fleet: FleetProcesses, agents: number, most: number): Promise<KillResult> {
  const [a, b, c] = fleet.hosts
  if (!a || !b || !c) throw new Error('expected three hosts')
  const addrs = addressesOf(71, agents)
  const home = new Map(addrs.map((addr, index) => [addr, fleet.hosts[index % 3]]))
  const ofB = addrs.filter(addr => home.get(addr) === b)
  let isBAlive = true
  let mayReturn = false
  const roaming = startRoamingAgents({
    addrs,
    portOf: addr => (home.get(addr) === b && !isBAlive ? (mayReturn ? c.agents : undefined) : home.get(addr)?.agents),
    // Those of b never reply to the first script: its parts are under way when it is killed.
    replyTo: (addr, { body }) =>
      home.get(addr) === b && JSON.stringify(body).includes('first') ? undefined : { status: 200, body: { out: addr } },
  })
  try {
    await fleet.addComputers(addrs)
    await roaming.connected()
    await Promise.all(fleet.hosts.map(host => secondsUntilListed(host, addrs, 30)))
    const { hosts } = (await a.call('GET /hosts')).json
    equal(
      hosts.map((host: { agents: number }) => host.agents),
      hosts.map(() => agents / 3),
    )
    const script = (run: string) => ({ clients: addrs, run, echo: true })
    const { headers } = await a.call('POST /shell/run', script('first'))
    b.program.kill('SIGKILL')
    isBAlive = false
    const others = addrs.filter(addr => home.get(addr) !== b)
    const [ended, ...listed] = await Promise.all([
      secondsUntilEnded([a], jobOf(headers), most),
      ...[a, c].map(host => secondsUntilListed(host, others, most)),
    ])
    const parts = await partsOf([a], jobOf(headers))
    const lost = parts.filter(({ client }) => home.get(client) === b)
    equal(
      lost.filter(({ state, reason }) => state !== 'failure' || reason !== 'host gone'),
      [],
    )
    equal(
      parts.filter(({ client, state }) => home.get(client) !== b && state !== 'success'),
      [],
    )
    const letReturn = () => {
      mayReturn = true
    }
    await queueAndReturn({ a, c, clients: ofB, all: addrs, letReturn })
    equal(roaming.repeated(), [])
    return { ended, listed: Math.max(...listed), outcomes: countsOf(parts) }
  } finally {
    await roaming.stop()
  }
}

interface Return {
  a: FleetHost
  c: FleetHost
  /** The clients of the dead host, and those of all. */
  clients: string[]
  all: string[]
  /** Their agents connect to another host from now on. */
  letReturn(): void
}

/** What is queued for the clients of the dead host is sent when they connect to another one. */
async function queueAndReturn({ a, c, clients, all, letReturn }: Return): Promise<void> {
  const { headers } = await a.call('POST /shell/run?queue=1', { clients, run: 'second', echo: true })
  const queued = await partsOf([a], jobOf(headers))
  ok(queued.every(({ state }) => state === 'queued'))
  letReturn()
  await secondsUntilEnded([a], jobOf(headers), 30)
  equal(countsOf(await partsOf([c], jobOf(headers))), { success: clients.length })
  // Other hosts see a connection about a tenth of a second later, which may be after the outcome of what it was sent.
  await secondsUntilListed(a, all, 10)
}
