// Checks a database: what its constraints cannot say about the rows, which only a bug or a change by hand can break.
import type { Finding, Maintenance } from '../../store.ts'
import { openDatabase, type Statements } from '../connection/database.ts'
import { readOptions } from '../connection/postgres-options.ts'
import { type Sql, sql } from '../connection/sql.ts'
import { requireCurrentVersion } from '../migrations/create-tables.ts'

type Problems = Sql<{ problem: string }>

/** Each statement returns one line for each problem. */
const checks: readonly Problems[] = [
  sql`
    select format('job %s: parts are missing', job_id) as problem from job_parts
    group by job_id having count(*) <> max(part) + 1 or min(part) <> 0 order by job_id`,
  sql`
    select format('hardware profile %s: not used', id) as problem from hardware_profiles
    where not exists (select from computers where hardware_profile_id = hardware_profiles.id) order by id`,
  sql`
    select format('software profile %s: not used', id) as problem from software_profiles
    where not exists (select from partitions where software_profile_id = software_profiles.id)
    and not exists (select from images where software_profile_id = software_profiles.id) order by id`,
  sql`
    select format('operating system %s: not used', id) as problem from operating_systems
    where not exists (select from partitions where operating_system_id = operating_systems.id) order by id`,
  sql`
    select format('scheduled command %s: no schedule names it', id) as problem from scheduled_commands
    where not exists (select from schedules where type = 'command' and target_id = scheduled_commands.id) order by id`,
  sql`
    select format('repository 1: expected one row, got %s', count(*)) as problem from repositories
    where id = 1 having count(*) <> 1`,
  sql`
    select format('pack %s: expected the sizes %s documents and %s bytes, got %s and %s', pack,
      coalesce(counted.documents, 0), coalesce(counted.bytes, 0), coalesce(known.documents, 0), coalesce(known.bytes, 0)
    ) as problem
    from (
      select pack, count(*) as documents, sum(octet_length(key) + octet_length(value)) as bytes
      from documents group by pack
    ) counted full join (select * from document_sizes where documents > 0) known using (pack)
    where (counted.documents, counted.bytes) is distinct from (known.documents, known.bytes)
    order by pack`,
  sql`
    select format('document %s: expected a version from 1 on, got %s', id, version) as problem from documents
    where version < 1 order by id`,
  sql`
    select format('stored events: expected one state with a last id from %s on', coalesce(max(stored_events.id), 0)) as problem
    from stored_events
    having (select count(*) from stored_event_state where last >= coalesce(max(stored_events.id), 0)) <> 1`,
  sql`
    select format('index %s: not valid', indexrelid::regclass) as problem from pg_index
    join pg_class on pg_class.oid = indexrelid
    where not indisvalid and relnamespace = current_schema()::regnamespace`,
]

/** Problems of each kind that are listed; more of them are only counted. */
const mostProblems = 20

export const check: Maintenance['check'] = async options => {
  const settings = await readOptions(options)
  const database = openDatabase(settings)
  try {
    await requireCurrentVersion(database, settings.schema)
    return await database.readAll(async statements => {
      const problems: Finding[] = []
      for (const each of checks) problems.push(...(await findProblems(statements, each)))
      return [{ ok: true, message: `${settings.label}: ${await describeRows(statements)}` }, ...problems]
    })
  } finally {
    await database.close()
  }
}

async function findProblems(statements: Statements, problems: Problems): Promise<Finding[]> {
  const rows = await problems.all(statements)
  const findings = rows.slice(0, mostProblems).map(({ problem }) => ({ ok: false, message: problem }))
  const more = rows.length - findings.length
  return more > 0 ? [...findings, { ok: false, message: `${more} more of this kind` }] : findings
}

async function describeRows(statements: Statements): Promise<string> {
  const { computers, rooms, jobs } = await sql<{ computers: number; rooms: number; jobs: number }>`
    select
      (select count(*) from computers) as computers, (select count(*) from rooms) as rooms,
      (select count(*) from jobs) as jobs
  `.one(statements)
  return `${computers} computers in ${rooms} rooms, ${jobs} jobs`
}
