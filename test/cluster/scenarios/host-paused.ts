// A host is paused for longer than its lease while it has work, and continues: no part is sent twice, and it joins again.
import { equal, ok } from 'uvu/assert'
import type { FleetProcesses } from '../../harness/fleet-processes.ts'
import { pollUntil } from '../../harness/poll.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { addressesOf, countsOf, jobOf, partsOf, secondsUntilEnded, secondsUntilListed } from './fleet-steps.ts'

/** Seconds until the others have noticed it at the latest. */
const mostUntilGone = 30

/** `seconds`: of the pause at least. Resolves to the outcomes of the job that was under way. */
export async function pauseHost(
  fleet: FleetProcesses,
  agents: number,
  seconds: number,
): Promise<Record<string, number>> {
  const [a, b] = fleet.hosts
  if (!a || !b) throw new Error('expected two hosts')
  const addrs = addressesOf(72, agents)
  const roaming = startRoamingAgents({ addrs, portOf: () => b.agents })
  try {
    await fleet.addComputers(addrs)
    await roaming.connected()
    await secondsUntilListed(a, addrs, 30)
    const queued = await a.call('POST /shell/run?queue=1', { clients: addrs, run: 'queued', echo: true })
    const direct = await Promise.all(
      ['one', 'two', 'three'].map(run => a.call('POST /shell/run', { clients: addrs, run, echo: true })),
    )
    process.kill(b.program.pid, 'SIGSTOP')
    const jobs = [queued, ...direct].map(({ headers }) => jobOf(headers))
    const paused = new Promise(resolve => setTimeout(resolve, seconds * 1000))
    await secondsUntilListed(a, [], mostUntilGone)
    await paused
    process.kill(b.program.pid, 'SIGCONT')
    for (const job of jobs) await secondsUntilEnded([a], job, 30)
    await secondsUntilListed(a, addrs, 30)
    await pollUntil(async () => (await b.call('GET /readyz')).status === 200)
    const after = await b.call('POST /shell/run', { clients: addrs, run: 'after', echo: true })
    await secondsUntilEnded([a, b], jobOf(after.headers), 30)
    equal(countsOf(await partsOf([a], jobOf(after.headers))), { success: addrs.length })
    equal(roaming.repeated(), [])
    // What succeeded was sent; what never was sent did not succeed.
    for (const job of jobs) {
      const parts = await partsOf([a], job)
      ok(parts.every(({ state }) => state !== 'queued' && state !== 'sent'))
    }
    return countsOf((await Promise.all(jobs.map(job => partsOf([a], job)))).flat())
  } finally {
    process.kill(b.program.pid, 'SIGCONT')
    await roaming.stop()
  }
}
