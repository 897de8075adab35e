// Parts of jobs of all hosts: each is sent by one of them.
import type { StoreLimits, Work } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { and, conditionsOf } from '../jobs/job-reads.ts'
import { OutputLimit } from '../jobs/output-limit.ts'
import { isId } from '../jobs/work-rows.ts'
import { assignParts, countQueued, countUnclaimed, readQueued, takeParts } from './assigned-parts.ts'
import type { BellRinger } from './bells.ts'
import { endParts } from './ended-parts.ts'
import { addWork, claimFiring } from './new-work.ts'
import { changeParts } from './part-changes.ts'

export interface FleetWorkDeps {
  /** May change while the store is open. */
  limits: StoreLimits
  ringer: BellRinger
}

export function fleetWork(database: Database, { limits, ringer }: FleetWorkDeps): Work {
  const outputLimit = new OutputLimit(database, limits)
  const ring = (hosts: readonly string[]) => ringer.ring(hosts.map(host => ({ type: 'work', host })))
  return {
    async add(key, work) {
      const outputs = work.parts.map(({ output }) => output)
      const added = await outputLimit.write(outputs, statements => addWork(statements, key, work))
      if (!added) return undefined
      const { id, targets, finished, unassigned } = added
      ring(targets)
      return { id, finished, unassigned }
    },
    claimFiring: firing => database.write(statements => claimFiring(statements, firing)),
    take: (key, after, now) => database.write(statements => takeParts(statements, { key, after, now })),
    queued: (clients, page) => readQueued(database.read, clients, page),
    async assign(parts) {
      if (parts.length > 0) ring(await database.write(statements => assignParts(statements, parts)))
    },
    unclaimed: job => countUnclaimed(database.read, job),
    change: (key, changes) => changeParts(outputLimit, key, changes),
    cancel(target, reason, now) {
      const conditions = conditionsOf({ state: 'queued', ...(target.clients && { clients: target.clients }) })
      if ('job' in target) conditions.push(sql`job_parts.job = ${isId(target.job) ? target.job : 0}`)
      const ending = { state: 'cancelled', reason, ended: sql`${now}` } as const
      return database.transaction(statements => endParts(statements, and(conditions), ending))
    },
    depth: () => countQueued(database.read),
  }
}
