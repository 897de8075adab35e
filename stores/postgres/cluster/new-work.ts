// Adds a job whose parts belong to several hosts, once for each firing of a schedule.
import type { Firing, HostKey, NewClusterJob } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { type Sql, sql, toType } from '../connection/sql.ts'
import { partNames, partRows, partSelection } from '../jobs/part-rows.ts'
import { isId } from '../jobs/work-rows.ts'
import { tables } from '../records/tables.ts'
import { memberRow, notMember } from './member-row.ts'

interface AddedJob {
  id: number
  /** Hosts that have parts of it now. */
  targets: string[]
  unassigned: number[]
}

/** One statement. Undefined when the firing has had its job. Throws when the host is no member. */
export async function addWork(
  statements: Statements,
  key: HostKey,
  work: NewClusterJob,
): Promise<AddedJob | undefined> {
  const hosts = work.parts.map((_, index) => hostOf(work, key, index))
  const wanted = [...new Set(hosts.flatMap(host => host ?? []))]
  const { firing } = work
  const fired = firing ? fire(firing, sql`exists (select from member)`) : sql`select from member`
  const added = tables.jobs.insertion(tables.jobs.row(work.job), sql`from member, fired`)
  const reachable = sql`select targets.name from targets, added order by targets.name`
  const { members, id, targets } = await sql<{ members: number; id: number | null; targets: string[] }>`
    with member as materialized (${memberRow(key)}),
    fired as (${fired}),
    targets as materialized (
      select name from hosts where name = any(${wanted}::text[]) and (select count(*) from member) > 0
      order by name for key share
    ),
    added as (${added}),
    versions as (${raiseVersions(reachable)}),
    added_parts as (${insertParts(work, hosts)})
    select
      (select count(*) from member) as members, (select id from added) as id, array(select name from targets) as targets
  `.one(statements)
  if (members === 0) throw notMember(key)
  if (id === null) return undefined
  const reached = new Set(targets)
  const unassigned = hosts.flatMap((host, index) => (host === undefined || reached.has(host) ? [] : index))
  return { id, targets, unassigned }
}

/** The host that a part is assigned to; undefined for the parts that the adding host has itself. */
function hostOf({ parts, hosts, direct }: NewClusterJob, { name }: HostKey, index: number): string | undefined {
  if (parts[index]?.state !== 'queued') return undefined
  return hosts[index] ?? (direct.has(index) ? name : undefined)
}

/** The row of a schedule whose firing is neither done nor skipped. */
const fire = ({ schedule, time }: Firing, condition: Sql) => sql`
  update schedules set since = ${toType(time, 'timestamptz')}
  where id = ${isId(schedule) ? schedule : 0} and since < ${toType(time, 'timestamptz')} and ${condition}
  returning id`

export async function claimFiring(statements: Statements, firing: Firing): Promise<boolean> {
  return (await fire(firing, sql`true`).run(statements)) > 0
}

/** Numbers for parts that are assigned now. Hosts with the same target wait for each other until they have committed. */
export const raiseVersions = (names: Sql): Sql => sql`
  insert into host_work as work (name, version)
  select names.name, 1 from (${names}) as names
  on conflict (name) do update set version = work.version + 1
  returning name, version`

/** Parts for a host that is no member are queued for nobody. */
function insertParts({ parts, direct }: NewClusterJob, hosts: readonly (string | undefined)[]): Sql {
  const indexed = parts.map((part, index) => ({ ...part, index, host: hosts[index], direct: direct.has(index) }))
  const rows = partRows(indexed, { host: 'text', direct: 'boolean' })
  return sql`
    insert into job_parts (job_id, ${partNames}, host, host_epoch, work, direct)
    select
      added.id, ${partSelection},
      case when rows.host is null then member.name else versions.name end,
      case when rows.state = 'sent' then member.epoch end,
      versions.version,
      rows.direct and versions.name is not null
    from member, added, ${rows} left join versions on versions.name = rows.host`
}
