// Lists that many computers have: each one is stored once, and a write sends it only when it is a new one.
import type { Database } from '../connection/database.ts'
import { raw, type Sql, sql } from '../connection/sql.ts'
import type { Row } from './sql-table.ts'
import { tables } from './tables.ts'

/** What a statement did: nothing without its computer, nor without the profile. */
interface Outcome {
  is_known: boolean
  is_stored: boolean
}

/** A computer, and what it names a profile in. */
interface ProfileUse {
  ip: string
  profile: Row
  /** Common table expressions, which follow `computer` and `profile` with the ids of both. */
  changes: Sql
}

interface ProfileTable {
  table: string
  /** How the computer's row is locked. */
  lock: string
  /** Adds a profile that is not in the table `existing`. */
  insertion: Sql
}

const isNew = sql`exists (select from computer) and not exists (select from existing)`

/** Stores what names a software profile. False for an unknown computer. */
export const writeWithSoftware = (database: Database, use: ProfileUse): Promise<boolean> =>
  writeWithProfile(database, use, {
    table: 'software_profiles',
    lock: 'key share',
    insertion: tables.software.insertion(use.profile, sql`where ${isNew}`),
  })

/** The same for a hardware profile. Computers may name profiles that do not exist: a new one gets another id. */
export const writeWithHardware = (database: Database, use: ProfileUse): Promise<boolean> =>
  writeWithProfile(database, use, {
    table: 'hardware_profiles',
    lock: 'no key update',
    insertion: tables.hardware.insertion(
      { ...use.profile, id: sql`free.id` },
      sql`
        from (
          select nextval(pg_get_serial_sequence('hardware_profiles', 'id')) as id
          from generate_series(1, 1 + (select count(*) from computers where hardware_number > 0))
        ) free
        where ${isNew}
          and not exists (select from computers where hardware_number > 0 and hardware_number = free.id)
        limit 1`,
    ),
  })

/** After an update a thousand computers report one new list together: the others wait until the first has added it. */
const adding = new WeakMap<Database, Map<unknown, Promise<unknown>>>()

function additionsOf(database: Database): Map<unknown, Promise<unknown>> {
  const additions = adding.get(database) ?? new Map<unknown, Promise<unknown>>()
  adding.set(database, additions)
  return additions
}

async function writeWithProfile(
  database: Database,
  { ip, profile, changes }: ProfileUse,
  { table, lock, insertion }: ProfileTable,
): Promise<boolean> {
  const { digest } = profile
  const find = sql`select id from ${raw(table)} where digest = ${digest}`
  const write = (profiles: Sql) => {
    const statement = sql<Outcome>`
      with computer as (select id from computers where ip = ${ip} for ${raw(lock)}), ${profiles}, ${changes}
      select exists (select from computer) as is_known, exists (select from profile) as is_stored`
    return database.write(statements => statement.one(statements))
  }
  const additions = additionsOf(database)
  for (;;) {
    const found = await write(sql`profile as (${find})`)
    if (!found.is_known || found.is_stored) return found.is_known
    const earlier = additions.get(digest)
    if (earlier) await earlier
    else {
      const added = write(sql`
        existing as (${find}), added as (${insertion}),
        profile as (select id from existing union all select id from added)`)
      const ended = () => additions.delete(digest)
      additions.set(digest, added.then(ended, ended))
      const { is_known, is_stored } = await added
      if (is_known && !is_stored) throw new Error('store: profile: expected it to be added, got none')
      return is_known
    }
  }
}
