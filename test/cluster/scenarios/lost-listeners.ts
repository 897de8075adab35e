// The connections for notifications are ended one by one: nothing is missed.
import { equal } from 'uvu/assert'
import type { FleetProcesses } from '../../harness/fleet-processes.ts'
import { startRoamingAgents } from '../../harness/roaming-agents.ts'
import { addressesOf, countsOf, jobOf, partsOf, secondsUntilEnded, secondsUntilListed } from './fleet-steps.ts'

/** Resolves to how many connections were ended. */
export async function endListeners(fleet: FleetProcesses, rounds: number): Promise<number> {
  const [a] = fleet.hosts
  if (!a) throw new Error('expected three hosts')
  const addrs = addressesOf(75, 12)
  const roaming = startRoamingAgents({
    addrs,
    portOf: addr => fleet.hosts[addrs.indexOf(addr) % 3]?.agents,
  })
  const client = await fleet.server.connect()
  let ended = 0
  try {
    await fleet.addComputers(addrs)
    await roaming.connected()
    for (let round = 0; round < rounds; round += 1) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'fleet-host notifications' order by pid`,
      )
      const pid = rows[round % Math.max(1, rows.length)]?.pid
      if (pid !== undefined) ended += (await client.query('select pg_terminate_backend($1)', [pid])).rowCount ?? 0
      roaming.move(addrs[round % addrs.length] ?? '')
      const { headers } = await a.call('POST /shell/run?queue=1', { clients: addrs, run: `round ${round}`, echo: true })
      await secondsUntilEnded([a], jobOf(headers), 30)
      const counts = countsOf(await partsOf([a], jobOf(headers)))
      equal((counts.success ?? 0) + (counts['failure: connection lost'] ?? 0), addrs.length)
      await Promise.all(fleet.hosts.map(host => secondsUntilListed(host, addrs, 30)))
    }
    equal(roaming.repeated(), [])
    return ended
  } finally {
    await client.end()
    await roaming.stop()
  }
}
