// Lists that many computers have: each one is stored once, and a write sends it only when it is a new one.
import type { Database } from '../connection/database.ts'
import { type Sql, sql } from '../connection/sql.ts'
import type { HardwareProfile, SoftwareProfile } from './profile-digest.ts'

/** What a statement did: nothing without its computer, nor without the profile. */
interface Outcome {
  is_known: boolean
  is_stored: boolean
}

/**
 * Runs a statement that names a software profile. `toStatement` is handed the common table expression `profile`, which
 * follows the one named `computer` that locks the computer's row. False for an unknown computer.
 */
export const writeWithSoftware = (
  database: Database,
  profile: SoftwareProfile,
  toStatement: (profile: Sql) => Sql<Outcome>,
): Promise<boolean> =>
  writeWithProfile(database, toStatement, {
    digest: profile.digest,
    find: sql`profile as (select id from software_profiles where digest = ${profile.digest})`,
    add: sql`
      existing as (select id from software_profiles where digest = ${profile.digest}),
      added as (
        insert into software_profiles (digest, os, programs)
        select ${profile.digest}, ${profile.os}, ${profile.programs}::text[]
        where exists (select from computer) and not exists (select from existing)
        returning id
      ),
      profile as (select id from existing union all select id from added)`,
  })

/** The same for a hardware profile. Computers may name profiles that do not exist: a new one gets another id. */
export const writeWithHardware = (
  database: Database,
  profile: HardwareProfile,
  toStatement: (profile: Sql) => Sql<Outcome>,
): Promise<boolean> =>
  writeWithProfile(database, toStatement, {
    digest: profile.digest,
    find: sql`profile as (select id from hardware_profiles where digest = ${profile.digest})`,
    add: sql`
      existing as (select id from hardware_profiles where digest = ${profile.digest}),
      added as (
        insert into hardware_profiles (id, digest, types, descriptions)
        select free.id, ${profile.digest}, ${profile.types}::text[], ${profile.descriptions}::text[]
        from (
          select nextval(pg_get_serial_sequence('hardware_profiles', 'id')) as id
          from generate_series(1, 1 + (select count(*) from computers where hardware_number > 0))
        ) free
        where exists (select from computer) and not exists (select from existing)
          and not exists (select from computers where hardware_number > 0 and hardware_number = free.id)
        limit 1
        returning id
      ),
      profile as (select id from existing union all select id from added)`,
  })

/** After an update a thousand computers report one new list together: the others wait until the first has added it. */
const adding = new WeakMap<Database, Map<string, Promise<unknown>>>()

function additionsOf(database: Database): Map<string, Promise<unknown>> {
  const additions = adding.get(database) ?? new Map<string, Promise<unknown>>()
  adding.set(database, additions)
  return additions
}

async function writeWithProfile(
  database: Database,
  toStatement: (profile: Sql) => Sql<Outcome>,
  { digest, find, add }: { digest: string; find: Sql; add: Sql },
): Promise<boolean> {
  const additions = additionsOf(database)
  for (;;) {
    const found = await database.write(statements => toStatement(find).one(statements))
    if (!found.is_known || found.is_stored) return found.is_known
    const earlier = additions.get(digest)
    if (earlier) await earlier
    else {
      const added = database.write(statements => toStatement(add).one(statements))
      const ended = () => additions.delete(digest)
      additions.set(digest, added.then(ended, ended))
      const { is_known, is_stored } = await added
      if (is_known && !is_stored) throw new Error('store: profile: expected it to be added, got none')
      return is_known
    }
  }
}
