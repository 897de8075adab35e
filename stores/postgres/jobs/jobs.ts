// Jobs and the states of their parts.
import { sql } from 'kysely'
import type { IndexedPart, Store, StoreLimits } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { jobReads } from './job-reads.ts'
import { OutputLimit } from './output-limit.ts'
import { mergeUpdates, partNames, partRows, partSelection, updateParts } from './part-rows.ts'
import { fromJob } from './work-rows.ts'

export interface JobsDeps {
  /** May change while the store is open. */
  limits: StoreLimits
}

export function jobs(database: Database, { limits }: JobsDeps): Store['jobs'] {
  const outputLimit = new OutputLimit(database, limits)
  return {
    ...jobReads(database),
    async add(job, parts) {
      const row = fromJob(job)
      const rows = partRows(parts.map((part, index): IndexedPart => ({ ...part, index })))
      const outputs = parts.map(({ output }) => output)
      const { id } = await outputLimit.write(outputs, statements =>
        statements
          .with('added', query => query.insertInto('jobs').values(row).returning('id'))
          .with('added_parts', query =>
            query
              .insertInto('job_parts')
              .columns(['job', ...partNames])
              .expression(sql`select added.id, ${partSelection} from added, ${rows}`),
          )
          .selectFrom('added')
          .select('id')
          .executeTakeFirstOrThrow(),
      )
      return id
    },
    async update(updates) {
      const merged = mergeUpdates(updates)
      if (merged.length === 0) return
      const statement = updateParts(merged)
      const outputs = merged.map(({ output }) => output)
      await outputLimit.write(outputs, statements => statement.execute(statements))
    },
    trim: limits => trim(database, limits),
  }
}

async function trim(database: Database, { before, keep }: Parameters<Store['jobs']['trim']>[0]): Promise<number> {
  const { numDeletedRows } = await database.write(statements =>
    statements
      .with('finished', query =>
        query
          .selectFrom('jobs')
          .select(['id', 'created', sql<number>`row_number() over (order by id desc)`.as('number')])
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('job_parts')
                  .whereRef('job_parts.job', '=', 'jobs.id')
                  .where('job_parts.state', 'in', ['queued', 'sent']),
              ),
            ),
          ),
      )
      .deleteFrom('jobs')
      .where('id', 'in', query =>
        query
          .selectFrom('finished')
          .select('finished.id')
          .where(({ or, eb }) => or([eb('finished.created', '<', before), eb('finished.number', '>', keep)])),
      )
      .executeTakeFirst(),
  )
  return Number(numDeletedRows)
}
