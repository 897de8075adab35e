-- What the tables of the records have besides the columns of these, which `table-definitions.ts` creates; and the other tables.
-- `unused-rows.ts` has the triggers that delete unused rows, and `views.sql` says what the columns are for.
alter table centers add unique (name);

alter table rooms add unique (center_id, name);

alter table repositories add unique (name);

alter table computer_groups add unique (name);

alter table filesystems add unique (name);

alter table operating_systems add unique (name);

alter table hardware_profiles add unique (digest), add check (cardinality(types) = cardinality(descriptions));

alter table software_profiles add unique (digest);

alter table images add unique (name);
create index on images (repository_id);
create index on images (software_profile_id);

alter table computers
  add hardware_profile_id bigint references hardware_profiles,
  add hardware_number bigint,
  add layout bigint not null default 0,
  add unique (ip),
  add check (seat_row between 1 and 99),
  add check (seat_column between 1 and 99),
  add check ((seat_row is null) = (seat_column is null));
create index on computers (room_id);
create index on computers (repository_id);
create index on computers (hardware_profile_id);
create index on computers (hardware_number) where hardware_number > 0;

alter table partitions
  add computer_id bigint not null references computers on delete cascade,
  add primary key (computer_id, disk, partition);
create index on partitions (filesystem_id) where filesystem_id > 21;
create index on partitions (operating_system_id);
create index on partitions (image_id);
create index on partitions (software_profile_id);

create table change_counts (one boolean primary key default true check (one), scopes bigint not null);

insert into change_counts (scopes) values (0);

create function count_scope_change() returns trigger language plpgsql as $$
begin
  update change_counts set scopes = scopes + 1;
  return null;
end $$;

create trigger count_changes after insert or delete or update of name or truncate on centers
for each statement execute function count_scope_change();

create trigger count_changes after insert or delete or update of name, center_id, tags or truncate on rooms
for each statement execute function count_scope_change();

create trigger count_changes after insert or delete or update of name, ip, room_id, tags or truncate on computers
for each statement execute function count_scope_change();

create trigger count_changes after insert or delete or update or truncate on computer_groups
for each statement execute function count_scope_change();

alter table procedures add unique (center_id, name);

alter table tasks add unique (center_id, name), add check ((scope_type is null) = (scope_id is null));

create view named_steps as
select distinct owner_type, owner, type, id
from (
  select 'procedure', procedures.id, 'procedure', unnest(procedure_steps) from procedures
  union all select 'procedure', procedures.id, 'task', unnest(task_steps) from procedures
  union all select 'task', tasks.id, 'procedure', unnest(procedure_steps) from tasks
  union all select 'task', tasks.id, 'task', unnest(task_steps) from tasks
) as steps (owner_type, owner, type, id);

create index on schedules (type, target_id);

create index on jobs (schedule_id) where schedule_id is not null;

alter table job_parts
  add job_id bigint not null references jobs on delete cascade,
  add part integer not null,
  add output_number bigint,
  add output_bytes integer not null,
  add host text,
  add host_epoch bigint,
  add work bigint,
  add direct boolean not null default false,
  add primary key (job_id, part);
create index on job_parts (state, job_id);
create index long_outputs on job_parts (output_number) include (output_bytes) where output_number is not null;
create index on job_parts (client, job_id);
create index assigned_parts on job_parts (host, work) where work > 0 and state in ('queued', 'sent');

create sequence output_numbers;

alter table tokens add unique (name);

alter table users add unique (name);

alter table documents alter key type text collate "C", add unique (pack, collection, key);

create table document_sizes (
  pack text collate "C" primary key,
  documents bigint not null,
  bytes bigint not null
);

create unlogged table kept_rows (
  number bigint generated always as identity primary key,
  transaction bigint not null,
  name text not null,
  operation text not null,
  content json not null
);

create table stored_events (
  id bigint primary key,
  time timestamptz not null,
  event json not null
);

create table stored_event_state (
  one boolean primary key default true check (one),
  last bigint not null,
  lost_id bigint,
  lost_since timestamptz,
  lost_until timestamptz
);

insert into stored_event_state (last) values (0);

-- What several hosts share besides the records: members, presence, events, and which host has which part.
--
-- Presence and events are in unlogged tables, which are empty after a crash of the server: each host announces its
-- agents anew then. The counters are lost in the same moment, and begin at the microseconds since 1970, beyond all
-- earlier ones.
create sequence host_epochs;

create table hosts (
  name text primary key,
  epoch bigint not null,
  heartbeat timestamptz not null default clock_timestamp(),
  joined timestamptz not null default clock_timestamp(),
  url text,
  version text not null,
  modules json not null,
  lease integer not null default 6000
);

create table host_work (name text primary key, version bigint not null);

create unlogged table fleet_counters (
  one boolean primary key default true check (one),
  version bigint not null,
  event bigint not null,
  connection bigint not null
);

create unlogged table agents (
  addr text not null,
  host text not null,
  epoch bigint not null,
  version bigint not null,
  gone boolean not null,
  changed timestamptz not null default clock_timestamp(),
  since bigint not null,
  connected timestamptz,
  state text not null,
  status text not null,
  speed double precision not null,
  result text not null,
  details json not null,
  primary key (addr, host)
);
create index on agents (version);

create unlogged table fleet_events (
  id bigint primary key,
  host text not null,
  time timestamptz not null,
  event json not null
);

create unlogged table script_outputs (client text primary key, output text not null);

create unlogged table slot_waits (
  name text not null,
  job_id bigint not null,
  part integer not null,
  asked timestamptz not null,
  primary key (name, job_id, part)
);
