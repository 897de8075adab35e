// Ends the parts that no member answers for any more, after a host was removed.
import type { EndedWork } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { endParts } from '../jobs/ended-parts.ts'

/** Sent by a host that has left the fleet since, or by a daemon before there was one; or to be sent by such a host. */
const isOrphaned = sql`(
  case job_parts.state
    when 'sent' then not exists (
      select from hosts where hosts.name = job_parts.host and hosts.epoch = job_parts.host_epoch
    )
    else job_parts.direct and not exists (select from hosts where hosts.name = job_parts.host)
  end
)`

/** Fails them, and assigns the other queued parts of hosts that are no members to nobody. */
export async function endOrphans(statements: Statements, reason: string): Promise<EndedWork[]> {
  const ended = sql`extract(epoch from clock_timestamp()) * 1000`
  const work = await endParts(statements, isOrphaned, { state: 'failure', reason, ended })
  await sql`
    update job_parts set host = null, work = 0
    where state = 'queued' and not direct and host is not null
      and not exists (select from hosts where hosts.name = job_parts.host)
  `.run(statements)
  return work
}
