-- The lines of all lists of software, each once: searches look here first, and then for the lists that have them. Lines of lists
-- that are gone stay, which does no harm.
create table if not exists program_names (name text collate "C" primary key);

create or replace function add_program_names() returns trigger language plpgsql as $$
begin
  insert into program_names
  select distinct programs.name collate "C" as name from added, unnest(programs) as programs (name)
  order by name on conflict do nothing;
  return null;
end $$;

create or replace trigger add_program_names after insert on software_profiles
referencing new table as added for each statement execute function add_program_names();

create index if not exists software_profiles_programs on software_profiles using gin (programs);

insert into program_names
select distinct programs.name collate "C" from software_profiles, unnest(programs) as programs (name)
on conflict do nothing;
