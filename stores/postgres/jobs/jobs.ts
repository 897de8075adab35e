// Jobs and the states of their parts.
import type { RecordedTypes } from '../../rules/recorded-events.ts'
import type { IndexedPart, Store, StoreLimits } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql, toType } from '../connection/sql.ts'
import { tables } from '../records/tables.ts'
import { addWithEvents, cancelParts } from './ended-parts.ts'
import { jobReads, unfinished } from './job-reads.ts'
import { OutputLimit } from './output-limit.ts'
import { changeParts } from './part-changes.ts'
import { partNames, partRows, partSelection } from './part-rows.ts'

export interface JobsDeps {
  /** May change while the store is open. */
  limits: StoreLimits
  recorded: RecordedTypes
}

export function jobs(database: Database, { limits, recorded }: JobsDeps): Store['jobs'] {
  const limit = new OutputLimit(database, limits)
  return {
    ...jobReads(database),
    async add(job, parts) {
      const rows = partRows(parts.map((part, index): IndexedPart => ({ ...part, index })))
      const statement = sql<{ id: number }>`
        with added as (${tables.jobs.insertion(tables.jobs.row(job))}),
        added_parts as (insert into job_parts (job_id, ${partNames}) select added.id, ${partSelection} from added, ${rows})
        select id from added`
      const { id } = await addWithEvents({ limit, recorded }, parts, statements => statement.one(statements))
      return id
    },
    update: changes => changeParts({ limit, recorded }, undefined, changes),
    cancel: (target, reason, now) =>
      database.transaction(statements => cancelParts(statements, target, { reason, now, recorded })),
    trim: ({ before, keep }) =>
      database.write(statements =>
        sql`
          with finished as (
            select id, created, row_number() over (order by id desc) as number from jobs
            where not exists (select from job_parts where job_id = jobs.id and ${unfinished})
          )
          delete from jobs where id in (select id from finished where created < ${toType(before, 'timestamptz')} or number > ${keep})
        `.run(statements),
      ),
  }
}
