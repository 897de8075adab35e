// The adapter `postgres`: a database of PostgreSQL with a table for each collection.
import { defaultLimits } from '../check-options.ts'
import { RecordedTypes } from '../rules/recorded-events.ts'
import type { ClusterAdapter, Description, OpenStore, Store, StoreLog } from '../store.ts'
import { type Database, openDatabase } from './connection/database.ts'
import { parseOptions, readOptions } from './connection/postgres-options.ts'
import { describe as describeSession, type SessionRow, selection } from './connection/session-rows.ts'
import { sql } from './connection/sql.ts'
import { StoreSession } from './connection/store-session.ts'
import { backup } from './dump/backup.ts'
import { jobs } from './jobs/jobs.ts'
import { createTables, indexTexts, prepare, requireCurrentVersion } from './migrations/create-tables.ts'
import { documents } from './modules/documents.ts'
import { storedEvents } from './modules/stored-events.ts'
import { centers } from './records/centers.ts'
import { computers } from './records/computers.ts'
import { images } from './records/images.ts'
import { inventory } from './records/inventory.ts'
import { procedures } from './records/procedures.ts'
import { schedules } from './records/schedules.ts'
import { tokensAndUsers } from './records/tokens-and-users.ts'
import { undo } from './undo/undo.ts'

const open: OpenStore = async (options, log, limits = defaultLimits) => {
  const settings = await readOptions(options)
  const session = new StoreSession(settings, { isAlone: settings.member === undefined, log })
  const database = openDatabase(settings, session)
  const close = async () => void (await Promise.all([session.close(), database.close()]))
  try {
    if (options.readonly) await requireCurrentVersion(database, settings.schema)
    else {
      await prepare(database, settings.schema)
      await session.open()
      const done = await createTables(database, settings.schema)
      await indexTexts(database)
      if (done) log.info('store', `${settings.label}: tables ${done}`)
    }
    await warnOfUnsafeSettings(database, log)
  } catch (error) {
    await close()
    throw describeOpening(settings.label, error)
  }
  return { ...createStore(database, { limits, recorded: new RecordedTypes([]) }), close }
}

export default open

/** Its code is loaded only where several hosts share the database. */
export const openCluster: ClusterAdapter['openCluster'] = async (options, limits = defaultLimits) => {
  const settings = await readOptions(options)
  const { openClusterStore } = await import('./cluster/cluster-store.ts')
  try {
    return await openClusterStore(settings, limits)
  } catch (error) {
    throw describeOpening(settings.label, error)
  }
}

export { check } from './dump/integrity-check.ts'

export const describe: Description['describe'] = options => parseOptions(options).label

export const usedBy: Description['usedBy'] = async options => {
  const database = openDatabase(await readOptions(options))
  try {
    const { rows } = await database.read.query(selection, [''])
    const users = rows.filter(({ live }: SessionRow) => live).map(describeSession)
    return users.length === 0 ? undefined : users.join('; ')
  } finally {
    await database.close()
  }
}

function createStore(database: Database, deps: Parameters<typeof jobs>[1]): Omit<Store, 'close'> {
  return {
    ...centers(database),
    computers: computers(database),
    inventory: inventory(database),
    images: images(database),
    ...procedures(database),
    schedules: schedules(database),
    jobs: jobs(database, deps),
    ...tokensAndUsers(database),
    undo: undo(database, bound => createStore(bound, deps)),
    documents: documents(database),
    storedEvents: storedEvents(database, deps.recorded, bound => createStore(bound, deps)),
    backup: backup(database),
  }
}

/** With these settings a write that was acknowledged can be lost when the server or its machine stops. */
async function warnOfUnsafeSettings(database: Database, log: StoreLog): Promise<void> {
  const rows = await sql<{ name: string }>`
    select name from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off' order by name
  `.all(database.read)
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(' and ')
  log.warn('store', `PostgreSQL: ${names} off: acknowledged writes can be lost when the server stops`)
}

function describeOpening(label: string, error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error)
  return text.startsWith('store') ? (error as Error) : new Error(`store: ${label}: ${text}`)
}
