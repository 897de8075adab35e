// Disks, hardware and software of computers.
import type { Frozen, HardwareItem, PartitionContent, Store } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { createReports } from './disk-reports.ts'
import { profileWriters } from './interned-profiles.ts'
import { survey } from './survey.ts'
import { partitions, tables } from './tables.ts'

export function inventory(database: Database): Store['inventory'] {
  return { ...reads(database), ...survey(database), ...writes(database) }
}

function reads({ read }: Database) {
  return {
    async partitions(ip) {
      const rows = await sql<object>`
        select ${partitions.columns} ${partitionsOf(ip)} order by disk, partition
      `.all(read)
      return rows.map(row => partitions.read(row))
    },
    contents: (ips, disk, partition) =>
      sql<PartitionContent>`
        select ip, coalesce(operating_systems.name, '') as system, coalesce(filesystems.name, '') as filesystem,
          coalesce(image_id, 0) as image
        from computers
        join partitions on computer_id = computers.id
        left join operating_systems on operating_systems.id = operating_system_id
        left join filesystems on filesystems.id = partitions.filesystem_id
        where ip = any(${ips}::text[]) and disk = ${disk} and partition = ${partition}
      `.all(read),
    sessions: ip =>
      sql<{ disk: number; partition: number; name: string }>`
        select disk, partition, operating_systems.name
        ${partitionsOf(ip, sql`join operating_systems on operating_systems.id = operating_system_id`)}
        order by disk, partition
      `.all(read),
    async hardware(ip) {
      const row = await sql<object>`
        select ${tables.hardware.columns} from computers
        join hardware_profiles on hardware_profiles.id = hardware_profile_id where ip = ${ip}
      `.first(read)
      return freezeItems(row ? tables.hardware.read(row).items : [])
    },
    async software(ip, disk, partition) {
      const row = await sql<{ programs: string[] }>`
        select programs ${partitionsOf(ip, sql`join software_profiles on software_profiles.id = software_profile_id`)}
          and disk = ${disk} and partition = ${partition}
      `.first(read)
      return row?.programs ?? []
    },
  } satisfies Partial<Store['inventory']>
}

function writes(database: Database) {
  const profiles = profileWriters(database)
  return {
    refresh: createReports(database),
    setHardware: (ip, items) =>
      profiles.withHardware({
        ip,
        profile: tables.hardware.row({ items }),
        changes: sql`
          changed as (
            update computers set hardware_profile_id = profile.id, hardware_number = null
            from computer, profile
            where computers.id = computer.id and computers.hardware_profile_id is distinct from profile.id
          )`,
      }),
    setSoftware: (ip, disk, partition, software) =>
      profiles.withSoftware({
        ip,
        profile: tables.software.row(software),
        changes: sql`
          stored as (
            insert into partitions as before
              (computer_id, disk, partition, code, size, used_size, filesystem_id, software_profile_id)
            select computer.id, ${disk}::bigint, ${partition}::bigint, 0, 0, 0, 0, profile.id from computer, profile
            on conflict (computer_id, disk, partition) do update set software_profile_id = excluded.software_profile_id
            where before.software_profile_id is distinct from excluded.software_profile_id
          )`,
      }),
  } satisfies Partial<Store['inventory']>
}

const partitionsOf = (ip: string, join = sql``) =>
  sql`from computers join partitions on computer_id = computers.id ${join} where ip = ${ip}`

function freezeItems(items: HardwareItem[]): Frozen<HardwareItem[]> {
  for (const item of items) Object.freeze(item)
  return Object.freeze(items)
}
