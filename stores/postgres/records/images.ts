// Images of partitions.
import { type Selectable, sql } from 'kysely'
import type { Image, ImageCopy, ImageUse, New, RestoredImage, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { toSoftwareProfile } from './profile-digest.ts'
import { addNames } from './shared-names.ts'
import { writeWithSoftware } from './shared-profiles.ts'
import type { Tables } from './table-types.ts'

export const images = (database: Database): Store['images'] => ({ ...reads(database), ...writes(database) })

function reads({ read }: Database) {
  return {
    list: async () => (await read.selectFrom('images').selectAll().orderBy('id').execute()).map(toImage),
    async uses() {
      const { rows } = await findUses.execute(read)
      for (const use of rows) Object.freeze(use)
      return Object.freeze(rows)
    },
    async copies(image) {
      const { rows } = await findCopies(image).execute(read)
      return rows
    },
    async find(name) {
      const row = await read.selectFrom('images').selectAll().where('name', '=', name).executeTakeFirst()
      return row && toImage(row)
    },
    async findById(id) {
      const row = await read.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toImage(row)
    },
    async system(id) {
      const row = await read
        .selectFrom('images')
        .innerJoin('software_profiles', 'software_profiles.id', 'images.software_profile')
        .where('images.id', '=', id)
        .select('software_profiles.os')
        .executeTakeFirst()
      return row?.os ?? ''
    },
  } satisfies Partial<Store['images']>
}

function writes(database: Database) {
  return {
    add: image => database.write(statements => add(statements, image)),
    setOwner: (id, { center_id, room_id = 0 }) =>
      database.write(async statements => {
        const values = { center_number: center_id, room_number: room_id }
        const { numUpdatedRows } = await statements
          .updateTable('images')
          .set(values)
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows > 0
      }),
    delete: id =>
      database.write(async statements => {
        const row = await statements.deleteFrom('images').where('id', '=', id).returningAll().executeTakeFirst()
        return row && toImage(row)
      }),
    recordCreate: (ip, { id, disk, partition, software, datasize, clonator, compressor, filesystem, version, at }) =>
      writeWithSoftware(
        database,
        toSoftwareProfile(software),
        profile => sql`
          with computer as (select id from computers where ip = ${ip} for key share),
          ${profile},
          image as (
            update images set software_profile = profile.id, datasize = ${datasize}::bigint, clonator = ${clonator},
              compressor = ${compressor}, filesystem = ${filesystem},
              version = case when ${version}::bigint > 0 then ${version}::bigint else images.version end,
              disk = ${disk}::bigint, partition = ${partition}::bigint
            from computer, profile where images.id = ${id}
            returning images.id
          ),
          stored as (
            insert into partitions as before
              (computer, disk, partition, code, size, used_size, filesystem, image, software_profile, image_version,
              image_since)
            select computer.id, ${disk}::bigint, ${partition}::bigint, 0, 0, 0, 0, (select id from image), profile.id,
              ${version}::bigint, ${at}::bigint
            from computer, profile
            on conflict (computer, disk, partition) do update set
              image = coalesce(excluded.image, before.image), software_profile = excluded.software_profile,
              image_version = case when excluded.image is null then before.image_version else excluded.image_version end,
              image_since = case when excluded.image is null then before.image_since else excluded.image_since end
          )
          select exists (select from computer) as is_known, exists (select from profile) as is_stored`,
      ),
    recordRestore: (ip, restored) => recordRestore(database, { ...restored, ip }),
  } satisfies Partial<Store['images']>
}

/** A computer with two partitions of one image counts once. */
const findUses = sql<ImageUse>`
  select images.id, coalesce(software_profiles.os, '') as system, coalesce(counts.computers, 0) as computers
  from images
  left join software_profiles on software_profiles.id = images.software_profile
  left join (
    select image, count(distinct computer) as computers from partitions where image is not null group by image
  ) counts on counts.image = images.id
  order by images.id`

const findCopies = (image: number | undefined) => sql<ImageCopy>`
  select image, image_version as version, image_since as since, computers.ip, disk, partition
  from partitions join computers on computers.id = partitions.computer
  where image is not null and ${image === undefined ? sql`true` : sql`image = ${image}`}
  order by image, computers.id, disk, partition`

/** Undefined when the name is taken. A software profile that does not exist is none. */
async function add(statements: Statements, image: New<Image>): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into images (
      name, description, repo_id, type, datasize, software_profile, group_number, center_number, clonator, compressor,
      filesystem, version, disk, partition, room_number
    )
    select ${image.name}, ${image.description}, ${image.repo_id}::bigint, ${image.type}::bigint,
      ${image.datasize}::bigint, (select id from software_profiles where id = ${image.software_id}),
      ${image.group_id}::bigint, ${image.center_id}::bigint, ${image.clonator}, ${image.compressor}, ${image.filesystem},
      ${image.version ?? 0}::bigint, ${image.disk ?? 0}::bigint, ${image.partition ?? 0}::bigint,
      ${image.room_id ?? 0}::bigint
    where not exists (select from images where name = ${image.name})
    returning id
  `.execute(statements)
  return rows[0]?.id
}

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
async function storeRestored(statements: Statements, { ip, disk, partition, id, version, at }: Restored) {
  const { rows } = await sql<{ is_known: boolean; missing_name: string | null }>`
    with computer as (select id from computers where ip = ${ip} for key share),
    image as (
      select images.id, images.software_profile, software_profiles.os, operating_systems.id as operating_system
      from images
      left join software_profiles on software_profiles.id = images.software_profile
      left join operating_systems on operating_systems.name = software_profiles.os
      where images.id = ${id}
    ),
    missing as (select os from computer, image where os <> '' and operating_system is null),
    stored as (
      insert into partitions
        (computer, disk, partition, code, size, used_size, filesystem, operating_system, image, software_profile,
        image_version, image_since)
      select computer.id, ${disk}::bigint, ${partition}::bigint, 0, 0, 0, 0, operating_system, image.id,
        software_profile, ${version}::bigint, ${at}::bigint
      from computer, image where not exists (select from missing)
      on conflict (computer, disk, partition) do update set
        operating_system = excluded.operating_system, image = excluded.image,
        software_profile = excluded.software_profile, image_version = excluded.image_version,
        image_since = excluded.image_since
    )
    select exists (select from computer) as is_known, (select os from missing) as missing_name
  `.execute(statements)
  const [outcome] = rows
  if (!outcome) throw new Error('store: restored image: expected an outcome, got none')
  return outcome
}

export function toImage(row: Selectable<Tables['images']>): Image {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    repo_id: row.repo_id,
    type: row.type,
    datasize: row.datasize,
    software_id: row.software_profile ?? 0,
    group_id: row.group_number,
    center_id: row.center_number,
    ...(row.room_number > 0 && { room_id: row.room_number }),
    clonator: row.clonator,
    compressor: row.compressor,
    filesystem: row.filesystem,
    ...(row.version > 0 && { version: row.version }),
    ...(row.disk > 0 && { disk: row.disk, partition: row.partition }),
  }
}
