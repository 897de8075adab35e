// Images of partitions.
import { storedValues } from '../../records/stored-values.ts'
import type { Image, ImageCopy, ImageUse, New, RestoredImage, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { join, raw, type Sql, sql } from '../connection/sql.ts'
import { toSoftwareProfile } from './profile-digest.ts'
import { addNames } from './shared-names.ts'
import { writeWithSoftware } from './shared-profiles.ts'

export const images = (database: Database): Store['images'] => ({ ...reads(database), ...writes(database) })

function reads({ read }: Database) {
  return {
    list: async () => (await selectImages(sql`true`).all(read)).map(toImage),
    async uses() {
      const rows = await findUses.all(read)
      for (const use of rows) Object.freeze(use)
      return Object.freeze(rows)
    },
    copies: image => findCopies(image).all(read),
    async find(name) {
      const row = await selectImages(sql`name = ${name}`).first(read)
      return row && toImage(row)
    },
    async findById(id) {
      const row = await selectImages(sql`id = ${id}`).first(read)
      return row && toImage(row)
    },
    async system(id) {
      const row = await sql<{ os: string }>`
        select os from images join software_profiles on software_profiles.id = software_profile where images.id = ${id}
      `.first(read)
      return row?.os ?? ''
    },
  } satisfies Partial<Store['images']>
}

function writes(database: Database) {
  return {
    add: image => database.write(statements => add(statements, image)),
    async setOwner(id, { center_id, room_id = 0 }) {
      const update = sql`update images set center_number = ${center_id}, room_number = ${room_id} where id = ${id}`
      return (await database.write(statements => update.run(statements))) > 0
    },
    async delete(id) {
      const deletion = sql<ImageRow>`delete from images where id = ${id} returning ${imageColumns}`
      const row = await database.write(statements => deletion.first(statements))
      return row && toImage(row)
    },
    recordCreate: (ip, { id, disk, partition, software, datasize, clonator, compressor, filesystem, version, at }) =>
      writeWithSoftware(database, {
        ip,
        profile: toSoftwareProfile(software),
        changes: sql`
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
          )`,
      }),
    recordRestore: (ip, restored) => recordRestore(database, { ...restored, ip }),
  } satisfies Partial<Store['images']>
}

const selectImages = (condition: Sql) =>
  sql<ImageRow>`select ${imageColumns} from images where ${condition} order by id`

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
  const { software_profile, ...row } = fromImage(image)
  const values = Object.values(row).map(value => (typeof value === 'number' ? sql`${value}::bigint` : value))
  const added = await sql<{ id: number }>`
    insert into images (software_profile, ${raw(Object.keys(row).join(', '))})
    select (select id from software_profiles where id = ${software_profile}), ${join(values)}
    where not exists (select from images where name = ${image.name})
    returning id
  `.first(statements)
  return added?.id
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
const storeRestored = (statements: Statements, { ip, disk, partition, id, version, at }: Restored) =>
  sql<{ is_known: boolean; missing_name: string | null }>`
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
  `.one(statements)

export function fromImage(image: New<Image>) {
  const { software_id, group_id, center_id, room_id = 0, ...row } = storedValues('images', image)
  const columns = { group_number: group_id, center_number: center_id, room_number: room_id }
  return { version: 0, disk: 0, partition: 0, ...row, ...columns, software_profile: software_id || null }
}

/** With the names of an image's keys. */
export const imageColumns = raw(`
  id, name, description, repo_id, type, datasize, coalesce(software_profile, 0) as software_id,
  group_number as group_id, center_number as center_id, room_number as room_id, clonator, compressor, filesystem,
  version, disk, partition`)

export type ImageRow = Required<Image>

export function toImage({ room_id, version, disk, partition, ...row }: ImageRow): Image {
  return {
    ...row,
    ...(room_id > 0 && { room_id }),
    ...(version > 0 && { version }),
    ...(disk > 0 && { disk, partition }),
  }
}
