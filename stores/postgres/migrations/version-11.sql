-- Makes the tables of version 11 from those of version 10: times are timestamptz, null is what was '' or 0 for none, and what
-- names a row is called by its table. Tables are written anew where their rows change.
drop view report_computers, report_partitions, report_hardware, report_software, report_job_parts;

drop function
  delete_unused_software_profiles(bigint[]),
  delete_unused_hardware_profiles(bigint[]),
  delete_unused_operating_systems(bigint[]),
  delete_unused_filesystems(bigint[]),
  after_delete_of_partitions(),
  after_delete_of_images(),
  after_delete_of_computers(),
  after_update_of_partitions_software_profile(),
  after_update_of_images_software_profile(),
  after_update_of_computers_hardware_profile(),
  after_update_of_partitions_operating_system(),
  after_update_of_partitions_filesystem()
  cascade;

alter table rooms rename center to center_id;
alter table rooms rename group_number to group_id;
alter table images rename repo_id to repository_id;
alter table images rename software_profile to software_profile_id;
alter table images rename group_number to group_id;
alter table images rename center_number to center_id;
alter table images rename room_number to room_id;
alter table computers rename room to room_id;
alter table computers rename hardware_profile to hardware_profile_id;
alter table computers rename repo_id to repository_id;
alter table partitions rename computer to computer_id;
alter table partitions rename filesystem to filesystem_id;
alter table partitions rename operating_system to operating_system_id;
alter table partitions rename image to image_id;
alter table partitions rename software_profile to software_profile_id;
alter table procedures rename center to center_id;
alter table tasks rename center to center_id;
alter table schedules rename task to target_id;
alter table schedules rename plan_task to plan_task_id;
alter table schedules rename plan_procedure to plan_procedure_id;
alter table jobs rename schedule to schedule_id;
alter table job_parts rename job to job_id;
alter table slot_waits rename job to job_id;

create function time_of(bigint) returns timestamptz language sql as $$
  select timestamptz 'epoch' + $1 * interval '1 millisecond'
$$;

alter table repositories alter slots drop default;
alter table images alter version drop default, alter disk drop default, alter partition drop default, alter room_id drop default;
alter table computers alter hardware_number drop default;
alter table partitions alter image_version drop default, alter image_since drop default;
alter table job_parts alter work drop default;
alter table hosts alter joined drop default;

alter table centers
  alter comment drop not null,
  alter comment type text using nullif(comment, '');

alter table rooms
  alter location drop not null,
  alter location type text using nullif(location, ''),
  alter gateway drop not null,
  alter gateway type text using nullif(gateway, ''),
  alter ntp drop not null,
  alter ntp type text using nullif(ntp, ''),
  alter dns drop not null,
  alter dns type text using nullif(dns, ''),
  alter group_id drop not null,
  alter group_id type bigint using nullif(group_id, 0);

alter table repositories
  alter ip drop not null,
  alter ip type text using nullif(ip, ''),
  alter slots drop not null,
  alter slots type bigint using nullif(slots, 0);

alter table software_profiles
  alter os drop not null,
  alter os type text using nullif(os, '');

alter table images
  alter description drop not null,
  alter description type text using nullif(description, ''),
  alter clonator drop not null,
  alter clonator type text using nullif(clonator, ''),
  alter compressor drop not null,
  alter compressor type text using nullif(compressor, ''),
  alter filesystem drop not null,
  alter filesystem type text using nullif(filesystem, ''),
  alter group_id drop not null,
  alter group_id type bigint using nullif(group_id, 0),
  alter center_id drop not null,
  alter center_id type bigint using nullif(center_id, 0),
  alter room_id drop not null,
  alter room_id type bigint using nullif(room_id, 0),
  alter version drop not null,
  alter version type bigint using nullif(version, 0),
  alter disk drop not null,
  alter disk type bigint using nullif(disk, 0),
  alter partition drop not null,
  alter partition type bigint using case when disk > 0 then partition end;

alter table computers
  alter mac drop not null,
  alter mac type text using nullif(mac, ''),
  alter netmask drop not null,
  alter netmask type text using nullif(netmask, ''),
  alter boot drop not null,
  alter boot type text using nullif(boot, ''),
  alter serial_number drop not null,
  alter serial_number type text using nullif(serial_number, ''),
  alter netiface drop not null,
  alter netiface type text using nullif(netiface, ''),
  alter netdriver drop not null,
  alter netdriver type text using nullif(netdriver, ''),
  alter livedir drop not null,
  alter livedir type text using nullif(livedir, ''),
  alter hardware_number drop not null,
  alter hardware_number type bigint using nullif(hardware_number, 0);

alter table partitions
  alter image_version drop not null,
  alter image_version type bigint using nullif(image_version, 0),
  alter image_since drop not null,
  alter image_since type timestamptz using time_of(nullif(image_since, 0));

alter table procedures
  alter description drop not null,
  alter description type text using nullif(description, '');

alter table tasks
  alter description drop not null,
  alter description type text using nullif(description, ''),
  alter options type jsonb using options::jsonb;

alter table schedules
  alter since type timestamptz using time_of(since);

alter table jobs
  alter maker drop not null,
  alter maker type text using nullif(maker, ''),
  alter created type timestamptz using time_of(created),
  alter conditions type jsonb using conditions::jsonb;

alter table job_parts
  alter reason drop not null,
  alter reason type text using nullif(reason, ''),
  alter output drop not null,
  alter output type text using nullif(output, ''),
  alter work drop not null,
  alter work type bigint using nullif(work, 0),
  alter queued drop not null,
  alter queued type timestamptz using time_of(nullif(queued, 0)),
  alter sent drop not null,
  alter sent type timestamptz using time_of(nullif(sent, 0)),
  alter ended drop not null,
  alter ended type timestamptz using time_of(nullif(ended, 0)),
  alter output_dropped drop not null,
  alter output_dropped type boolean using nullif(output_dropped, false);

alter table tokens
  alter maker drop not null,
  alter maker type text using nullif(maker, ''),
  alter expires drop not null,
  alter expires type bigint using nullif(expires, 0),
  alter created type timestamptz using time_of(created * 1000),
  alter used drop not null,
  alter used type timestamptz using time_of(nullif(used, 0) * 1000);

alter table users
  alter maker drop not null,
  alter maker type text using nullif(maker, ''),
  alter created type timestamptz using time_of(created * 1000),
  alter used drop not null,
  alter used type timestamptz using time_of(nullif(used, 0) * 1000);

alter table hosts
  alter url drop not null,
  alter url type text using nullif(url, ''),
  alter joined type timestamptz using time_of(joined);

alter table fleet_events
  alter time type timestamptz using time_of(time);

alter table agents
  alter connected drop not null,
  alter connected type timestamptz using time_of(nullif(connected, 0));

alter table stored_events alter time type timestamptz using time_of(time);

alter table stored_event_state
  alter lost_since type timestamptz using time_of(lost_since),
  alter lost_until type timestamptz using time_of(lost_until);

drop function time_of;

alter table hosts alter joined set default clock_timestamp();
alter table change_counts add one boolean primary key default true check (one);

alter table rooms rename constraint rooms_center_fkey to rooms_center_id_fkey;
alter table rooms rename constraint rooms_center_name_key to rooms_center_id_name_key;
alter table images rename constraint images_repo_id_fkey to images_repository_id_fkey;
alter table images rename constraint images_software_profile_fkey to images_software_profile_id_fkey;
alter table computers rename constraint computers_room_fkey to computers_room_id_fkey;
alter table computers rename constraint computers_hardware_profile_fkey to computers_hardware_profile_id_fkey;
alter table computers rename constraint computers_repo_id_fkey to computers_repository_id_fkey;
alter table partitions rename constraint partitions_computer_fkey to partitions_computer_id_fkey;
alter table partitions rename constraint partitions_filesystem_fkey to partitions_filesystem_id_fkey;
alter table partitions rename constraint partitions_operating_system_fkey to partitions_operating_system_id_fkey;
alter table partitions rename constraint partitions_image_fkey to partitions_image_id_fkey;
alter table partitions rename constraint partitions_software_profile_fkey to partitions_software_profile_id_fkey;
alter table procedures rename constraint procedures_center_fkey to procedures_center_id_fkey;
alter table procedures rename constraint procedures_center_name_key to procedures_center_id_name_key;
alter table tasks rename constraint tasks_center_fkey to tasks_center_id_fkey;
alter table tasks rename constraint tasks_center_name_key to tasks_center_id_name_key;
alter table job_parts rename constraint job_parts_job_fkey to job_parts_job_id_fkey;

alter index images_repo_id_idx rename to images_repository_id_idx;
alter index images_software_profile_idx rename to images_software_profile_id_idx;
alter index computers_room_idx rename to computers_room_id_idx;
alter index computers_repo_id_idx rename to computers_repository_id_idx;
alter index computers_hardware_profile_idx rename to computers_hardware_profile_id_idx;
alter index partitions_filesystem_idx rename to partitions_filesystem_id_idx;
alter index partitions_operating_system_idx rename to partitions_operating_system_id_idx;
alter index partitions_image_idx rename to partitions_image_id_idx;
alter index partitions_software_profile_idx rename to partitions_software_profile_id_idx;
alter index schedules_type_task_idx rename to schedules_type_target_id_idx;
alter index jobs_schedule_idx rename to jobs_schedule_id_idx;
alter index job_parts_state_job_idx rename to job_parts_state_job_id_idx;
alter index job_parts_client_job_idx rename to job_parts_client_job_id_idx;

alter table jobs drop constraint jobs_origin_check;
alter table jobs add constraint jobs_origin_check
  check (origin in ('request', 'task', 'procedure', 'schedule', 'retry', 'pack'));
