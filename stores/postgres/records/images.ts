// Images of partitions.
import type { ImageCopy, ImageUse, RestoredImage, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { addNames } from './interned-names.ts'
import { profileWriters } from './interned-profiles.ts'
import { partitions, tables } from './tables.ts'

export const images = (database: Database): Store['images'] => ({ ...reads(database), ...writes(database) })

function reads({ read }: Database) {
  return {
    list: () => tables.images.list(read),
    async uses() {
      const rows = await findUses.all(read)
      for (const use of rows) Object.freeze(use)
      return Object.freeze(rows)
    },
    async copies(image) {
      const rows = await findCopies(image).all(read)
      return rows.map(({ since, ...row }) => ({ ...row, since: since ?? 0 }))
    },
    find: name => tables.images.find(read, sql`name = ${name}`),
    findById: id => tables.images.find(read, sql`id = ${id}`),
    async system(id) {
      const row = await sql<{ os: string | null }>`
        select os from images join software_profiles on software_profiles.id = software_profile_id where images.id = ${id}
      `.first(read)
      return row?.os ?? ''
    },
  } satisfies Partial<Store['images']>
}

function writes(database: Database) {
  const profiles = profileWriters(database)
  return {
    async add(image) {
      // A software profile that does not exist is none.
      const { software_profile_id, ...row } = tables.images.row(image)
      const profile = sql`(select id from software_profiles where id = ${software_profile_id})`
      return database.write(statements => tables.images.addNamed(statements, { ...row, software_profile_id: profile }))
    },
    async setOwner(id, { center_id, room_id = 0 }) {
      const row = tables.images.changes({ center_id, room_id })
      return (await database.write(statements => tables.images.update(statements, id, row))) === 'updated'
    },
    async delete(id) {
      const deletion = sql<object>`delete from images where id = ${id} returning ${tables.images.columns}`
      const row = await database.write(statements => deletion.first(statements))
      return row && tables.images.read(row)
    },
    recordCreate: (ip, { id, software, at, ...created }) => {
      const { disk, partition, version } = created
      const image = tables.images.set(tables.images.changes({ ...created, version: version || undefined }))
      return profiles.withSoftware({
        ip,
        profile: tables.software.row(software),
        changes: sql`
          image as (
            update images set software_profile_id = profile.id, ${image}
            from computer, profile where images.id = ${id}
            returning images.id
          ),
          stored as (
            insert into partitions as before
              (computer_id, disk, partition, code, size, used_size, filesystem_id, image_id, software_profile_id,
              image_version, image_since)
            select computer.id, ${disk}::bigint, ${partition}::bigint, 0, 0, 0, 0, (select id from image), profile.id,
              ${toCopied(version, at)}
            from computer, profile
            on conflict (computer_id, disk, partition) do update set
              image_id = coalesce(excluded.image_id, before.image_id),
              software_profile_id = excluded.software_profile_id,
              image_version =
                case when excluded.image_id is null then before.image_version else excluded.image_version end,
              image_since = case when excluded.image_id is null then before.image_since else excluded.image_since end
          )`,
      })
    },
    recordRestore: (ip, restored) => recordRestore(database, { ...restored, ip }),
  } satisfies Partial<Store['images']>
}

/** The values of these columns of a partition. */
const toCopied = (image_version: number, image_since: number) =>
  partitions.values(partitions.changes({ image_version, image_since }))

/** A computer with two partitions of one image counts once. */
const findUses = sql<ImageUse>`
  select images.id, coalesce(software_profiles.os, '') as system, coalesce(counts.computers, 0) as computers
  from images
  left join software_profiles on software_profiles.id = images.software_profile_id
  left join (
    select image_id, count(distinct computer_id) as computers from partitions where image_id is not null group by image_id
  ) counts on counts.image_id = images.id
  order by images.id`

const findCopies = (image: number | undefined) => sql<Omit<ImageCopy, 'since'> & { since: number | null }>`
  select image_id as image, coalesce(image_version, 0) as version, image_since as since, computers.ip, disk, partition
  from partitions join computers on computers.id = partitions.computer_id
  where image_id is not null and ${image === undefined ? sql`true` : sql`image_id = ${image}`}
  order by image_id, computers.id, disk, partition`

type Restored = RestoredImage & { ip: string }

async function recordRestore(database: Database, restored: Restored): Promise<boolean> {
  const first = await database.write(statements => storeRestored(statements, restored))
  if (first.missing_name === null) return first.is_known
  return database.transaction(async statements => {
    // Another image can have been created from a partition meanwhile, with a further name.
    for (;;) {
      const outcome = await storeRestored(statements, restored)
      if (outcome.missing_name === null) return outcome.is_known
      await addNames(statements, 'operating_systems', [outcome.missing_name])
    }
  })
}

/** Stores nothing when the name of the image's operating system is missing. */
const storeRestored = (statements: Statements, { ip, disk, partition, id, version, at }: Restored) =>
  sql<{ is_known: boolean; missing_name: string | null }>`
    with computer as (select id from computers where ip = ${ip} for key share),
    image as (
      select images.id, images.software_profile_id, software_profiles.os, operating_systems.id as operating_system_id
      from images
      left join software_profiles on software_profiles.id = images.software_profile_id
      left join operating_systems on operating_systems.name = software_profiles.os
      where images.id = ${id}
    ),
    missing as (select os from computer, image where os is not null and operating_system_id is null),
    stored as (
      insert into partitions
        (computer_id, disk, partition, code, size, used_size, filesystem_id, operating_system_id, image_id,
        software_profile_id, image_version, image_since)
      select computer.id, ${disk}::bigint, ${partition}::bigint, 0, 0, 0, 0, operating_system_id, image.id,
        software_profile_id, ${toCopied(version, at)}
      from computer, image where not exists (select from missing)
      on conflict (computer_id, disk, partition) do update set
        operating_system_id = excluded.operating_system_id, image_id = excluded.image_id,
        software_profile_id = excluded.software_profile_id, image_version = excluded.image_version,
        image_since = excluded.image_since
    )
    select exists (select from computer) as is_known, (select os from missing) as missing_name
  `.one(statements)
