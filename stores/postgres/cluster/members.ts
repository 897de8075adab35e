// The hosts that are in the fleet: joining, heartbeats, and the end of a membership with all that belongs to it.
import { RecordedTypes } from '../../rules/recorded-events.ts'
import type { EndedMember, EndedParts, HostKey, MemberHost, Members } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'
import type { StoreSession } from '../connection/store-session.ts'
import { type Ending, endParts } from '../jobs/ended-parts.ts'
import { toPayload } from './notifications.ts'
import { removeAgents } from './presence-rows.ts'
import { storeLastEvents } from './publications.ts'

interface MembersDeps {
  session: StoreSession
  channel: string
  recorded: RecordedTypes
}

/** Why the parts of an earlier life of a host failed. */
const restarted = 'daemon restarted'

/** As a text, because no number of JavaScript is as exact. */
const heartbeat = raw('extract(epoch from heartbeat)::text')

export function members(database: Database, { session, channel, recorded }: MembersDeps): Members {
  const notifyHosts = sql`select pg_notify(${channel}, ${toPayload({ type: 'hosts' })})`
  return {
    async join({ name, url, version, lease, modules }) {
      if (!(await session.hold(name))) return undefined
      return database.transaction(async statements => {
        await sql`select from hosts where name = ${name} for update`.run(statements)
        const before = await end(statements, name, { reason: restarted, recorded: new RecordedTypes() })
        const { epoch } = await sql<{ epoch: number }>`
          with work as (insert into host_work (name, version) values (${name}, 0) on conflict do nothing)
          insert into hosts (name, epoch, url, version, lease, modules)
          values (${name}, nextval('host_epochs'), nullif(${url}, ''), ${version}, ${lease}, ${JSON.stringify(modules)}::json)
          returning epoch
        `.one(statements)
        await notifyHosts.run(statements)
        return { ...before, epoch }
      })
    },
    async beat({ name, epoch }, modules) {
      const statement = sql`
        update hosts set heartbeat = clock_timestamp(), modules = ${JSON.stringify(modules)}::json
        where name = ${name} and epoch = ${epoch}`
      return (await database.write(statements => statement.run(statements))) === 1
    },
    async list() {
      const rows = await sql<Omit<MemberHost, 'modules'> & { modules: string }>`
        select name, epoch, ${heartbeat} as heartbeat, joined, coalesce(url, '') as url, version, lease, modules from hosts order by epoch
      `.all(database.read)
      return rows.map(({ modules, ...row }): MemberHost => ({ ...row, modules: JSON.parse(modules) }))
    },
    remove({ name, epoch, heartbeat: seen }, reason) {
      return database.transaction(async statements => {
        const found = await sql`
          select from hosts where name = ${name} and epoch = ${epoch} and ${heartbeat} = ${seen} for update
        `.run(statements)
        if (found === 0) return undefined
        const result = await end(statements, name, { reason, recorded })
        await notifyHosts.run(statements)
        return result
      })
    },
    async leave({ name, epoch }, reason, eventsOf = () => []) {
      const result = await database.transaction(async statements => {
        const found = await sql`
          select from hosts where name = ${name} and epoch = ${epoch} for update
        `.run(statements)
        if (found === 0) return { wasMember: false, agents: [], ended: [] }
        const ended = await end(statements, name, { reason, recorded })
        await storeLastEvents(statements, { name, channel, events: eventsOf(ended) })
        await notifyHosts.run(statements)
        return ended
      })
      await session.release()
      return result
    },
  }
}

/** In further statements than the one that locked the host's row: these see everything that the host has committed. */
async function end(statements: Statements, name: HostKey['name'], ending: OrphansEnding): Promise<EndedMember> {
  const agents = await removeAgents(statements, name)
  const deleted = await sql`delete from hosts where name = ${name}`.run(statements)
  return { wasMember: deleted === 1, agents, ended: await endOrphans(statements, ending) }
}

type OrphansEnding = Pick<Ending, 'reason' | 'recorded'>

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
async function endOrphans(statements: Statements, ending: OrphansEnding): Promise<EndedParts[]> {
  const ended = sql`date_trunc('milliseconds', clock_timestamp())`
  const work = await endParts(statements, isOrphaned, { ...ending, state: 'failure', ended })
  await sql`
    update job_parts set host = null, work = null
    where state = 'queued' and not direct and host is not null
      and not exists (select from hosts where hosts.name = job_parts.host)
  `.run(statements)
  return work
}
