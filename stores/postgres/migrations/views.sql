-- What tables and columns are for that are not of records, and the views for reports: for new and for changed tables.
comment on column computers.hardware_number is 'The hardware_id of a record that names a profile which is not there.';
comment on column computers.layout is 'Raised when a report of its disks adds or removes partitions.';
comment on table change_counts is 'One row: counts the changes of the tree of centers, rooms and computers, of tags and of groups.';
comment on column job_parts.part is 'Its index in the job.';
comment on column job_parts.output_number is
  'The order in which long outputs were written; null for short and dropped ones, which take no space.';
comment on column job_parts.output_bytes is 'Bytes of a long output; 0 for others.';
comment on column job_parts.host is
  'The host that is to look after it, or that sent it; null for a daemon alone.';
comment on column job_parts.host_epoch is 'The epoch of this host when it sent it.';
comment on column job_parts.work is
  'The number of the host in host_work when it was assigned; null for a part that the host added itself.';
comment on column job_parts.direct is 'Queued only until its host sends it, which is at once.';
comment on table hosts is 'The hosts that are in the fleet.';
comment on column hosts.epoch is 'The order of the epochs is that in which hosts have joined.';
comment on column hosts.version is 'Of the daemon.';
comment on column hosts.lease is 'Milliseconds without a heartbeat after which it is removed: each host is judged by its own.';
comment on table host_work is
  'Raised by each transaction that assigns parts to a host; they wait for each other, so that no number comes late.';
comment on table fleet_counters is
  'One row, or none after a crash of the server: the last numbers of presence, events and connections.';
comment on table agents is 'Agents that are connected to hosts, and those that were until a minute ago. Empty after a crash.';
comment on column agents.gone is 'It is not connected to this host any more.';
comment on column agents.since is 'The number of its connection.';
comment on column agents.version is 'Of the change: see fleet_counters.';
comment on table fleet_events is 'The last events of all hosts, in one order. Empty after a crash.';
comment on table script_outputs is 'The output of the last script of each client. Empty after a crash.';
comment on table slot_waits is
  'Parts that hosts could send if their limits allowed it; a host asks again each second. Empty after a crash.';
comment on view named_steps is 'What each procedure and task names in its steps, without repetitions.';
comment on table document_sizes is
  'Of the documents of each pack; whoever changes one of these locks the row first.';
comment on table kept_rows is
  'Rows that an open transaction deletes, adds or changes, until it puts them together into one of undos.';
comment on table stored_events is 'Events of writes, which wait until they have been read.';
comment on table stored_event_state is 'One row, about the stored events.';
comment on column stored_event_state.last is 'The last id.';
comment on column stored_event_state.lost_id is
  'Up to which id events were deleted that not all had read, with the times of the first and the last one.';
comment on table program_names is 'The lines of all lists of software, each once, also of lists that are gone.';
comment on column program_names.name is 'As in software_profiles.programs.';
comment on table schema_versions is 'The versions that the tables have had.';
comment on table store_sessions is 'Who uses the database.';

-- For views: null for what is no address, which the tables may have.
create function to_address(text) returns inet language sql immutable strict parallel safe as $$
  select case when $1 ~ '^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])([.](?!$)|$)){4}$' then $1::inet end
$$;

create function to_hardware_address(text) returns macaddr language sql immutable strict parallel safe as $$
  select case when $1 ~ '^[0-9A-Fa-f]{12}$' then $1::macaddr end
$$;

-- Views with plain names for reports. Other programs may read these, not the tables.
create view report_computers as
select
  computers.id, computers.name, to_address(computers.ip) as ip, to_hardware_address(computers.mac) as mac,
  computers.serial_number, computers.maintenance, computers.boot as boot_mode, rooms.id as room_id,
  rooms.name as room, centers.id as center_id, centers.name as center, repositories.id as repository_id,
  repositories.name as repository, computers.seat_row, computers.seat_column
from computers
join rooms on rooms.id = computers.room_id
join centers on centers.id = rooms.center_id
join repositories on repositories.id = computers.repository_id;
comment on view report_computers is 'Computers, with the names of their room, center and repository.';

create view report_partitions as
select
  computers.id as computer_id, computers.name as computer, to_address(computers.ip) as ip, partitions.disk,
  partitions.partition, partitions.size as size_kib, partitions.used_size as used_percent,
  nullif(filesystems.name, '') as filesystem, operating_systems.name as operating_system, images.id as image_id,
  images.name as image,
  case when images.id is not null then partitions.image_version end as image_version,
  case when images.id is not null then partitions.image_since end as image_since
from partitions
join computers on computers.id = partitions.computer_id
join filesystems on filesystems.id = partitions.filesystem_id
left join operating_systems on operating_systems.id = partitions.operating_system_id
left join images on images.id = partitions.image_id;
comment on view report_partitions is 'Partitions of computers: size, filesystem, operating system, image.';

create view report_hardware as
select
  computers.id as computer_id, computers.name as computer, to_address(computers.ip) as ip, item.type,
  item.description
from computers
join hardware_profiles on hardware_profiles.id = computers.hardware_profile_id,
unnest(hardware_profiles.types, hardware_profiles.descriptions) as item (type, description);
comment on view report_hardware is 'Devices of computers.';

create view report_software as
select
  computers.id as computer_id, computers.name as computer, to_address(computers.ip) as ip, partitions.disk,
  partitions.partition, software_profiles.os as operating_system, program.name as program
from partitions
join computers on computers.id = partitions.computer_id
join software_profiles on software_profiles.id = partitions.software_profile_id,
unnest(software_profiles.programs) as program (name);
comment on view report_software is 'Programs of the partitions of computers.';

create view report_job_parts as
select
  jobs.id as job_id, jobs.name as job, jobs.maker as requested_by, jobs.created, job_parts.part,
  to_address(job_parts.client) as ip, computers.id as computer_id, computers.name as computer, job_parts.state,
  job_parts.reason, job_parts.sent, job_parts.ended
from job_parts
join jobs on jobs.id = job_parts.job_id
left join computers on computers.ip = job_parts.client;
comment on view report_job_parts is 'Clients of the steps of jobs: state, reason, times.';
