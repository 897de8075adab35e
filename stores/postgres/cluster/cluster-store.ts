// Opens what several hosts share, with connections of its own: neither side waits for the other's statements.
import type { ClusterStore, StoreLimits } from '../../store.ts'
import { openDatabase } from '../connection/database.ts'
import type { PostgresOptions } from '../connection/postgres-options.ts'
import { StoreSession } from '../connection/store-session.ts'
import { BellRinger, channelOf, Notifications } from './bells.ts'
import { fleetWork } from './fleet-work.ts'
import { members } from './members.ts'
import { publications } from './publications.ts'

/** Connections for members and work, and for presence and events. */
const pools = { work: 4, news: 2 }

/** Milliseconds after which the server ends a transaction of a host that has stopped: its removal waits for it. */
const idleTime = 2000

const settings = { idle_in_transaction_session_timeout: idleTime }

export async function openClusterStore(postgres: PostgresOptions, limits: StoreLimits): Promise<ClusterStore> {
  const channel = channelOf(postgres.schema)
  const session = new StoreSession(postgres, { isAlone: false })
  const database = openDatabase({ ...postgres, pool: pools.work, settings }, session)
  const newsSettings = { ...settings, synchronous_commit: 'off' }
  const newsDatabase = openDatabase({ ...postgres, pool: pools.news, settings: newsSettings }, session)
  const bells = new Notifications(postgres, channel)
  const ringer = new BellRinger(newsDatabase, channel)
  async function close(): Promise<void> {
    await ringer.close()
    await Promise.all([session.close(), bells.close(), database.close(), newsDatabase.close()])
  }
  try {
    await Promise.all([session.open(), bells.open()])
  } catch (error) {
    await close()
    throw error
  }
  return {
    members: members(database, { session, channel }),
    bells,
    news: publications(newsDatabase, channel),
    work: fleetWork(database, { limits, ringer }),
    close,
  }
}
