// Parts of jobs of all hosts: each is sent by one of them.
import type { StoreLimits, Work } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { cancelParts } from '../jobs/ended-parts.ts'
import { and, conditionsOf, readUnfinished } from '../jobs/job-reads.ts'
import { OutputLimit } from '../jobs/output-limit.ts'
import { changeParts } from '../jobs/part-changes.ts'
import { assignParts, countUnclaimed, takeParts } from './assignments.ts'
import type { BellRinger } from './bells.ts'
import { addWork, claimFiring } from './new-work.ts'

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
      const { id, targets, unassigned } = added
      ring(targets)
      return { id, unassigned }
    },
    claimFiring: firing => database.write(statements => claimFiring(statements, firing)),
    take: (key, after, now) => database.write(statements => takeParts(statements, { key, after, now })),
    queued(clients, page) {
      const conditions = conditionsOf({ state: 'queued', ...(clients !== 'all' && { clients }) })
      return readUnfinished(database, sql`${and(conditions)} and not direct`, page)
    },
    async assign(parts) {
      if (parts.length > 0) ring(await database.write(statements => assignParts(statements, parts)))
    },
    unclaimed: job => countUnclaimed(database.read, job),
    change: (key, changes) => changeParts(outputLimit, key, changes),
    cancel: (target, reason, now) => database.transaction(statements => cancelParts(statements, target, reason, now)),
  }
}
