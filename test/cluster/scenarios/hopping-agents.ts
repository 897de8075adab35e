// Agents move between hosts while work waits for them: each part is sent once, and has an outcome.
import { equal } from 'uvu/assert'
import type { FleetProcesses } from '../../harness/fleet-processes.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { addressesOf, countsOf, jobOf, partsOf, secondsUntilEnded } from './fleet-steps.ts'

/** Milliseconds between two moves of some agent. */
const moveTime = 20

/** `rounds` scripts are queued for each of the agents. Resolves to the outcomes of all parts. */
export async function hop(fleet: FleetProcesses, agents: number, rounds: number): Promise<Record<string, number>> {
  const addrs = addressesOf(73, agents)
  let moves = 0
  const portOf = () => {
    moves += 1
    return fleet.hosts[moves % 3]?.agents
  }
  const roaming = startRoamingAgents({ addrs, portOf })
  let moving: NodeJS.Timeout | undefined
  try {
    await fleet.addComputers(addrs)
    await roaming.connected()
    let next = 0
    moving = setInterval(() => {
      roaming.move(addrs[next % addrs.length] ?? '')
      next += 7
    }, moveTime)
    const jobs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const host = fleet.hosts[round % 3]
      const response = await host?.call('POST /shell/run?queue=1', {
        clients: addrs,
        run: `round ${round}`,
        echo: true,
      })
      if (response) jobs.push(jobOf(response.headers))
    }
    // With fewer moves the queues come to their ends.
    await new Promise(resolve => setTimeout(resolve, 3000))
    clearInterval(moving)
    for (const job of jobs) await secondsUntilEnded(fleet.hosts, job, 60)
    const parts = (await Promise.all(jobs.map(job => partsOf(fleet.hosts, job)))).flat()
    equal(roaming.repeated(), [])
    equal(parts.length, agents * rounds)
    // Only those whose connection ended under way have failed.
    equal(
      parts.filter(({ state, reason }) => state !== 'success' && reason !== 'connection lost'),
      [],
    )
    return countsOf(parts)
  } finally {
    clearInterval(moving)
    await roaming.stop()
  }
}
