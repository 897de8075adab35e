// Disks, hardware and software of computers.
import { sql } from 'kysely'
import type { Frozen, HardwareItem, Partition, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { createReports } from './disk-reports.ts'
import { toHardwareItems, toHardwareProfile, toSoftwareProfile } from './profile-digest.ts'
import { writeWithHardware, writeWithSoftware } from './shared-profiles.ts'

export function inventory(database: Database): Store['inventory'] {
  return { ...reads(database), ...writes(database) }
}

function reads({ read }: Database) {
  return {
    async partitions(ip) {
      const rows = await partitionsOf(read, ip)
        .selectAll('partitions')
        .orderBy('partitions.disk')
        .orderBy('partitions.partition')
        .execute()
      return rows.map(toPartition)
    },
    contents: (ips, disk, partition) =>
      read
        .selectFrom('computers')
        .innerJoin('partitions', 'partitions.computer', 'computers.id')
        .leftJoin('operating_systems', 'operating_systems.id', 'partitions.operating_system')
        .leftJoin('filesystems', 'filesystems.id', 'partitions.filesystem')
        .where('computers.ip', '=', sql<string>`any(${ips}::text[])`)
        .where('partitions.disk', '=', disk)
        .where('partitions.partition', '=', partition)
        .select(({ fn, val }) => [
          'computers.ip',
          fn.coalesce('operating_systems.name', val('')).as('system'),
          fn.coalesce('filesystems.name', val('')).as('filesystem'),
          fn.coalesce('partitions.image', val(0)).as('image'),
        ])
        .execute(),
    sessions: ip =>
      partitionsOf(read, ip)
        .innerJoin('operating_systems', 'operating_systems.id', 'partitions.operating_system')
        .select(['partitions.disk', 'partitions.partition', 'operating_systems.name'])
        .orderBy('partitions.disk')
        .orderBy('partitions.partition')
        .execute(),
    async hardware(ip) {
      const row = await read
        .selectFrom('computers')
        .innerJoin('hardware_profiles', 'hardware_profiles.id', 'computers.hardware_profile')
        .where('computers.ip', '=', ip)
        .select(['hardware_profiles.types', 'hardware_profiles.descriptions'])
        .executeTakeFirst()
      return freezeItems(row ? toHardwareItems(row) : [])
    },
    async software(ip, disk, partition) {
      const row = await partitionsOf(read, ip)
        .where('partitions.disk', '=', disk)
        .where('partitions.partition', '=', partition)
        .innerJoin('software_profiles', 'software_profiles.id', 'partitions.software_profile')
        .select('software_profiles.programs')
        .executeTakeFirst()
      return row?.programs ?? []
    },
  } satisfies Partial<Store['inventory']>
}

function writes(database: Database) {
  return {
    refresh: createReports(database),
    setHardware: (ip, items) =>
      writeWithHardware(
        database,
        toHardwareProfile(items),
        profile => sql`
          with computer as (select id from computers where ip = ${ip} for no key update),
          ${profile},
          changed as (
            update computers set hardware_profile = profile.id, hardware_number = 0
            from computer, profile
            where computers.id = computer.id and computers.hardware_profile is distinct from profile.id
          )
          select exists (select from computer) as is_known, exists (select from profile) as is_stored`,
      ),
    setSoftware: (ip, disk, partition, software) =>
      writeWithSoftware(
        database,
        toSoftwareProfile(software),
        profile => sql`
          with computer as (select id from computers where ip = ${ip} for key share),
          ${profile},
          stored as (
            insert into partitions as before
              (computer, disk, partition, code, size, used_size, filesystem, software_profile)
            select computer.id, ${disk}::bigint, ${partition}::bigint, 0, 0, 0, 0, profile.id from computer, profile
            on conflict (computer, disk, partition) do update set software_profile = excluded.software_profile
            where before.software_profile is distinct from excluded.software_profile
          )
          select exists (select from computer) as is_known, exists (select from profile) as is_stored`,
      ),
  } satisfies Partial<Store['inventory']>
}

const partitionsOf = (read: Statements, ip: string) =>
  read
    .selectFrom('computers')
    .innerJoin('partitions', 'partitions.computer', 'computers.id')
    .where('computers.ip', '=', ip)

interface PartitionRow extends Omit<Partition, 'os' | 'image' | 'software' | 'image_version' | 'image_since'> {
  operating_system: number | null
  image: number | null
  software_profile: number | null
  image_version: number
  image_since: number
}

export function toPartition(row: PartitionRow): Partition {
  // A row that has lost its image keeps what was known of it.
  const { image_version, image_since } = row.image === null ? noCopy : row
  return {
    disk: row.disk,
    partition: row.partition,
    code: row.code,
    size: row.size,
    used_size: row.used_size,
    filesystem: row.filesystem,
    os: row.operating_system ?? 0,
    image: row.image ?? 0,
    software: row.software_profile ?? 0,
    ...(image_version > 0 && { image_version }),
    ...(image_since > 0 && { image_since }),
  }
}

const noCopy = { image_version: 0, image_since: 0 }

function freezeItems(items: HardwareItem[]): Frozen<HardwareItem[]> {
  for (const item of items) Object.freeze(item)
  return Object.freeze(items)
}
