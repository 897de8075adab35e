// Many schedules are due in one second on all hosts: each fires once in the fleet.
import { equal } from 'uvu/assert'
import { masksOf } from '../../../host/schedules/recurrence.ts'
import type { FleetProcesses } from '../../harness/fleet-processes.ts'
import { pollUntil } from '../../harness/poll.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { addressesOf, jobOf, secondsUntilListed } from './fleet-steps.ts'

const minute = 60_000

/** Milliseconds that the schedules are made before they are due. */
const leastTime = 15_000

/** Resolves to how many scripts the agents were sent. */
export async function fireSchedules(fleet: FleetProcesses, count: number): Promise<number> {
  const [a] = fleet.hosts
  if (!a) throw new Error('expected three hosts')
  const addrs = addressesOf(76, 30)
  const roaming = startRoamingAgents({ addrs, portOf: addr => fleet.hosts[addrs.indexOf(addr) % 3]?.agents })
  const fired = async () => {
    const { json } = await a.call('GET /jobs?limit=1000')
    return json.jobs.filter(({ origin }: { origin: string }) => origin === 'schedule')
  }
  try {
    await fleet.addComputers(addrs)
    await roaming.connected()
    await secondsUntilListed(a, addrs, 30)
    const due = new Date(Math.ceil((Date.now() + leastTime) / minute) * minute)
    const schedule = async (number: number) => {
      const host = fleet.hosts[number % 3] ?? a
      const clients = [addrs[number % addrs.length]]
      const params = { run: `schedule ${number}`, echo: true }
      const { status } = await host.call('POST /schedule/command', {
        clients,
        command: 'run',
        params,
        when: masksOf(due),
      })
      equal(status, 200)
    }
    for (let number = 0; number < count; number += 1) await schedule(number)
    await pollUntil(() => Date.now() >= due.getTime(), 2 * minute)
    await pollUntil(() => roaming.received.size === count, minute)
    // The other hosts look some hundred milliseconds later whether a firing was left to them.
    const last = await a.call('POST /shell/run?queue=1', { clients: addrs, run: 'last', echo: true })
    await new Promise(resolve => setTimeout(resolve, 3000))
    await pollUntil(async () => (await a.call(`GET /jobs/${jobOf(last.headers)}`)).json.counts.queued === 0, minute)
    equal((await fired()).length, count)
    equal(roaming.repeated(), [])
    return roaming.received.size - addrs.length
  } finally {
    await roaming.stop()
  }
}
