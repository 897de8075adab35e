// The database is stopped and started again under load: nothing acknowledged is lost, agents stay connected, nobody is gone.
import { equal, ok } from 'uvu/assert'
import type { FleetProcesses } from '../../harness/fleet-processes.ts'
import { pollUntil } from '../../harness/poll.ts'
import { startQuietTimer } from '../../harness/quiet-timer.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { addressesOf, jobOf, partsOf, secondsUntilEnded, secondsUntilListed } from './fleet-steps.ts'

/** Writes are refused within 2 s. */
const longestRefusal = 4

export interface StopResult {
  acknowledged: number
  refused: number
  /** Seconds until a command was refused. */
  longest: number
}

export async function stopDatabase(fleet: FleetProcesses, agents: number, seconds: number): Promise<StopResult> {
  const [a, b] = fleet.hosts
  if (!a || !b) throw new Error('expected two hosts')
  const addrs = addressesOf(74, agents)
  let connections = 0
  const portOf = () => {
    connections += 1
    return b.agents
  }
  const roaming = startRoamingAgents({ addrs, portOf })
  const acknowledged: number[] = []
  let [refused, longest, isOver] = [0, 0, false]
  const write = async (number: number) => {
    for (let count = 0; !isOver; count += 1) {
      const time = startQuietTimer()
      const run = `writer ${number} script ${count}`
      const { status, headers } = await a.call('POST /shell/run', { clients: [addrs[number]], run, echo: true })
      if (status === 200) acknowledged.push(jobOf(headers))
      else refused += 1
      if (status !== 200) longest = Math.max(longest, time() / 1000)
      if (status !== 200) await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  try {
    await fleet.addComputers(addrs)
    await roaming.connected()
    await secondsUntilListed(a, addrs, 30)
    const writers = Array.from({ length: 8 }, (_, index) => write(index))
    await pollUntil(() => acknowledged.length > 50)
    await fleet.server.kill()
    await pollUntil(() => refused > 0)
    equal((await a.call('GET /clients')).json.clients.length, addrs.length)
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
    await fleet.server.start()
    const before = acknowledged.length
    await pollUntil(() => acknowledged.length > before + 50)
    isOver = true
    await Promise.all(writers)
    for (const job of acknowledged) await secondsUntilEnded([a], job, 30)
    for (const job of acknowledged) equal((await partsOf([a], job)).length, 1)
    equal(connections, addrs.length)
    await Promise.all([a, b].map(host => secondsUntilListed(host, addrs, 30)))
    equal((await a.call('GET /hosts')).json.hosts.length, fleet.hosts.length)
    ok(longest < longestRefusal, `a command was refused after ${longest} s`)
    equal(roaming.repeated(), [])
    return { acknowledged: acknowledged.length, refused, longest }
  } finally {
    isOver = true
    await roaming.stop()
  }
}
