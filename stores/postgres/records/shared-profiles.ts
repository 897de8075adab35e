// Lists that many computers have: each one is stored once, and a write sends it only when it is a new one.
import type { Database } from '../connection/database.ts'
import { raw, type Sql, sql } from '../connection/sql.ts'
import type { HardwareProfile, SoftwareProfile } from './profile-digest.ts'

/** What a statement did: nothing without its computer, nor without the profile. */
interface Outcome {
  is_known: boolean
  is_stored: boolean
}

/** A computer, and what it names a profile in. */
interface ProfileUse<Profile> {
  ip: string
  profile: Profile
  /** Common table expressions, which follow `computer` and `profile` with the ids of both. */
  changes: Sql
}

/** Stores what names a software profile. False for an unknown computer. */
export const writeWithSoftware = (database: Database, use: ProfileUse<SoftwareProfile>): Promise<boolean> =>
  writeWithProfile(database, use, {
    table: 'software_profiles',
    lock: 'key share',
    insertion: ({ digest, os, programs }) => sql`
      insert into software_profiles (digest, os, programs)
      select ${digest}, ${os}, ${programs}::text[]
      where exists (select from computer) and not exists (select from existing)
      returning id`,
  })

/** The same for a hardware profile. Computers may name profiles that do not exist: a new one gets another id. */
export const writeWithHardware = (database: Database, use: ProfileUse<HardwareProfile>): Promise<boolean> =>
  writeWithProfile(database, use, {
    table: 'hardware_profiles',
    lock: 'no key update',
    insertion: ({ digest, types, descriptions }) => sql`
      insert into hardware_profiles (id, digest, types, descriptions)
      select free.id, ${digest}, ${types}::text[], ${descriptions}::text[]
      from (
        select nextval(pg_get_serial_sequence('hardware_profiles', 'id')) as id
        from generate_series(1, 1 + (select count(*) from computers where hardware_number > 0))
      ) free
      where exists (select from computer) and not exists (select from existing)
        and not exists (select from computers where hardware_number > 0 and hardware_number = free.id)
      limit 1
      returning id`,
  })

interface ProfileTable<Profile> {
  table: string
  /** How the computer's row is locked. */
  lock: string
  /** Adds a profile that is not in the table `existing`. */
  insertion(profile: Profile): Sql
}

/** After an update a thousand computers report one new list together: the others wait until the first has added it. */
const adding = new WeakMap<Database, Map<string, Promise<unknown>>>()

function additionsOf(database: Database): Map<string, Promise<unknown>> {
  const additions = adding.get(database) ?? new Map<string, Promise<unknown>>()
  adding.set(database, additions)
  return additions
}

async function writeWithProfile<Profile extends { digest: string }>(
  database: Database,
  { ip, profile, changes }: ProfileUse<Profile>,
  { table, lock, insertion }: ProfileTable<Profile>,
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
        existing as (${find}), added as (${insertion(profile)}),
        profile as (select id from existing union all select id from added)`)
      const ended = () => additions.delete(digest)
      additions.set(digest, added.then(ended, ended))
      const { is_known, is_stored } = await added
      if (is_known && !is_stored) throw new Error('store: profile: expected it to be added, got none')
      return is_known
    }
  }
}
