// Lists that many computers have: each one is stored once, and a write sends it only when it is a new one.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
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
  toStatement: (profile: RawBuilder<unknown>) => RawBuilder<Outcome>,
): Promise<boolean> =>
  writeWithProfile(database, toStatement, {
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
  toStatement: (profile: RawBuilder<unknown>) => RawBuilder<Outcome>,
): Promise<boolean> =>
  writeWithProfile(database, toStatement, {
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

async function writeWithProfile(
  database: Database,
  toStatement: (profile: RawBuilder<unknown>) => RawBuilder<Outcome>,
  { find, add }: { find: RawBuilder<unknown>; add: RawBuilder<unknown> },
): Promise<boolean> {
  for (const profile of [find, add]) {
    const statement = toStatement(profile)
    const { rows } = await database.write(statements => statement.execute(statements))
    const [outcome] = rows
    if (!outcome?.is_known) return false
    if (outcome.is_stored) return true
  }
  throw new Error('store: profile: expected it to be added, got none')
}
