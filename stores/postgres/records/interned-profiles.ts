// Lists that many computers have: each one is stored once, and a write sends it only when it is a new one.
import type { Database } from '../connection/database.ts'
import { raw, type Sql, sql } from '../connection/sql.ts'
import { Additions, type Outcome } from './interned-names.ts'
import type { Row } from './sql-table.ts'
import { tables } from './tables.ts'

/** A computer, and what it names a profile in. */
interface ProfileUse {
  ip: string
  profile: Row
  /** Common table expressions, which follow `computer` and `profile` with the ids of both. */
  changes: Sql
}

const isNew = sql`exists (select from computer) and not exists (select from existing)`

/** Both store what names a profile, and the profile if it is a new one. False for an unknown computer. */
export function profileWriters(database: Database) {
  const additions = new Additions()

  /** `lock`: how the computer's row is locked; `insertion` adds a profile that is not in the table `existing`. */
  function writeWith(use: ProfileUse, table: { name: string }, lock: string, insertion: Sql): Promise<boolean> {
    const { ip, profile, changes } = use
    const find = sql`select id from ${raw(table.name)} where digest = ${profile.digest}`
    const write = (profiles: Sql) => {
      const statement = sql<Outcome>`
        with computer as (select id from computers where ip = ${ip} for ${raw(lock)}), ${profiles}, ${changes}
        select exists (select from computer) as is_known, exists (select from profile) as is_stored`
      return database.write(statements => statement.one(statements))
    }
    const withAdded = sql`
      existing as (${find}), added as (${insertion}),
      profile as (select id from existing union all select id from added)`
    const store = () => write(sql`profile as (${find})`)
    return additions.storeOrAdd(profile.digest, store, () => write(withAdded))
  }

  return {
    withSoftware: (use: ProfileUse) =>
      writeWith(use, tables.software, 'key share', tables.software.insertion(use.profile, sql`where ${isNew}`)),
    /** Computers may name profiles that do not exist: a new one gets another id. */
    withHardware(use: ProfileUse) {
      const source = sql`
        from (
          select nextval(pg_get_serial_sequence('hardware_profiles', 'id')) as id
          from generate_series(1, 1 + (select count(*) from computers where hardware_number > 0))
        ) free
        where ${isNew}
          and not exists (select from computers where hardware_number > 0 and hardware_number = free.id)
        limit 1`
      const insertion = tables.hardware.insertion({ ...use.profile, id: sql`free.id` }, source)
      return writeWith(use, tables.hardware, 'no key update', insertion)
    },
  }
}
