// Opens what several hosts share, with connections of its own: neither side waits for the other's statements.
import { RecordedTypes } from '../../rules/recorded-events.ts'
import type { ClusterJobs, ClusterStore, StoreLimits } from '../../store.ts'
import { type Database, openDatabase } from '../connection/database.ts'
import type { PostgresOptions } from '../connection/postgres-options.ts'
import { StoreSession } from '../connection/store-session.ts'
import { addWithEvents, cancelParts } from '../jobs/ended-parts.ts'
import { OutputLimit } from '../jobs/output-limit.ts'
import { changeParts } from '../jobs/part-changes.ts'
import { assignParts, countUnclaimed, readQueued, takeParts } from './assignments.ts'
import { members } from './members.ts'
import { addWork, claimFiring } from './new-work.ts'
import { channelOf, Notifier, PostgresNotifications } from './notifications.ts'
import { publications } from './publications.ts'

/** Connections for members and work, and for presence and events. */
const pools = { work: 4, publications: 2 }

/** Milliseconds after which the server ends a transaction of a host that has stopped: its removal waits for it. */
const idleTime = 2000

const settings = { idle_in_transaction_session_timeout: idleTime }

export async function openClusterStore(postgres: PostgresOptions, limits: StoreLimits): Promise<ClusterStore> {
  const channel = channelOf(postgres.schema)
  const session = new StoreSession(postgres, { isAlone: false })
  const database = openDatabase({ ...postgres, pool: pools.work, settings }, session)
  const recorded = new RecordedTypes([])
  const publishSettings = { ...settings, synchronous_commit: 'off' }
  const publishing = openDatabase({ ...postgres, pool: pools.publications, settings: publishSettings }, session)
  const notifications = new PostgresNotifications(postgres, channel)
  const notifier = new Notifier(publishing, channel)
  async function close(): Promise<void> {
    await notifier.close()
    await Promise.all([session.close(), notifications.close(), database.close(), publishing.close()])
  }
  try {
    await Promise.all([session.open(), notifications.open()])
  } catch (error) {
    await close()
    throw error
  }
  return {
    members: members(database, { session, channel, recorded }),
    notifications,
    publications: publications(publishing, channel),
    work: clusterJobs(database, { limits, notifier, recorded }),
    record: types => recorded.set(types),
    close,
  }
}

interface ClusterJobsDeps {
  /** May change while the store is open. */
  limits: StoreLimits
  notifier: Notifier
  recorded: RecordedTypes
}

function clusterJobs(database: Database, { limits, notifier, recorded }: ClusterJobsDeps): ClusterJobs {
  const deps = { limit: new OutputLimit(database, limits), recorded }
  const notify = (hosts: readonly string[]) => notifier.notify(hosts.map(host => ({ type: 'work', host })))
  return {
    async add(key, work) {
      const added = await addWithEvents(deps, work.parts, statements => addWork(statements, key, work))
      if (!added) return undefined
      const { id, targets, unassigned } = added
      notify(targets)
      return { id, unassigned }
    },
    claimFiring: firing => database.write(statements => claimFiring(statements, firing)),
    take: (key, after, now) => database.write(statements => takeParts(statements, { key, after, now })),
    queued: (clients, page) => readQueued(database.read, clients, page),
    async assign(parts) {
      if (parts.length > 0) notify(await database.write(statements => assignParts(statements, parts)))
    },
    unclaimed: job => countUnclaimed(database.read, job),
    change: (key, changes) => changeParts(deps, key, changes),
    cancel: (target, reason, now) =>
      database.transaction(statements => cancelParts(statements, target, { reason, now, recorded })),
  }
}
