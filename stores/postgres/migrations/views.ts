// Version 1 of the tables, third part: views with plain names for reports. Other programs may read these, not the tables.
import { sql } from 'kysely'

export const views = [
  sql`
    create view report_computers as
    select
      computers.id, computers.name, computers.ip, computers.mac, computers.serial_number, computers.maintenance,
      computers.boot as boot_mode, rooms.id as room_id, rooms.name as room, centers.id as center_id,
      centers.name as center, repositories.name as repository, computers.seat_row, computers.seat_column
    from computers
    join rooms on rooms.id = computers.room
    join centers on centers.id = rooms.center
    join repositories on repositories.id = computers.repo_id`,
  sql`
    create view report_partitions as
    select
      computers.id as computer_id, computers.name as computer, computers.ip, partitions.disk, partitions.partition,
      partitions.size as size_kib, partitions.used_size as used_percent, filesystems.name as filesystem,
      operating_systems.name as operating_system, images.name as image
    from partitions
    join computers on computers.id = partitions.computer
    join filesystems on filesystems.id = partitions.filesystem
    left join operating_systems on operating_systems.id = partitions.operating_system
    left join images on images.id = partitions.image`,
  sql`
    create view report_hardware as
    select computers.id as computer_id, computers.name as computer, computers.ip, item.type, item.description
    from computers
    join hardware_profiles on hardware_profiles.id = computers.hardware_profile,
    unnest(hardware_profiles.types, hardware_profiles.descriptions) as item (type, description)`,
  sql`
    create view report_software as
    select
      computers.id as computer_id, computers.name as computer, computers.ip, partitions.disk, partitions.partition,
      software_profiles.os as operating_system, program.name as program
    from partitions
    join computers on computers.id = partitions.computer
    join software_profiles on software_profiles.id = partitions.software_profile,
    unnest(software_profiles.programs) as program (name)`,
  sql`
    create view report_job_parts as
    select
      jobs.id as job_id, jobs.name as job, jobs.maker as requested_by, to_timestamp(jobs.created / 1000.0) as created,
      job_parts.part, job_parts.client as ip, computers.name as computer, job_parts.state, job_parts.reason,
      case when job_parts.sent > 0 then to_timestamp(job_parts.sent / 1000.0) end as sent,
      case when job_parts.ended > 0 then to_timestamp(job_parts.ended / 1000.0) end as ended
    from job_parts
    join jobs on jobs.id = job_parts.job
    left join computers on computers.ip = job_parts.client`,
]
