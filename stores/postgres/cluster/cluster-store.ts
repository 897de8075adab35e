// Opens what several hosts share, with connections of its own: neither side waits for the other's statements.
import type { ClusterStore, StoreLimits } from '../../store.ts'
import { openDatabase } from '../database.ts'
import type { PostgresOptions } from '../postgres-options.ts'
import { BellRinger, bells, channelOf } from './bells.ts'
import { FleetSession } from './fleet-session.ts'
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
  const database = openDatabase({ ...postgres, pool: pools.work, settings })
  const newsDatabase = openDatabase({
    ...postgres,
    pool: pools.news,
    settings: { ...settings, synchronous_commit: 'off' },
  })
  const session = new FleetSession(postgres, channel)
  const ringer = new BellRinger(newsDatabase, channel)
  async function close(): Promise<void> {
    await ringer.close()
    await Promise.all([session.close(), database.close(), newsDatabase.close()])
  }
  try {
    await session.open()
  } catch (error) {
    await close()
    throw error
  }
  return {
    members: members(database, { session, channel }),
    bells: bells(session),
    news: publications(newsDatabase, channel),
    work: fleetWork(database, { limits, ringer }),
    close,
  }
}
