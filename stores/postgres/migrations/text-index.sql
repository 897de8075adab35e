-- Finds parts of the names of programs by an index, where the server has the extension pg_trgm and the user may create or use
-- it: searches read all names else. The expression is that of `matches` in records/search.ts.
do $$
declare
  place name;
begin
  if to_regclass('program_names_text') is not null then return; end if;
  if not exists (select from pg_extension where extname = 'pg_trgm') then
    create extension pg_trgm with schema public;
  end if;
  select nspname into place from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
  where extname = 'pg_trgm';
  execute format(
    'create index program_names_text on program_names using gin (lower(name collate "default") %I.gin_trgm_ops)', place
  );
-- The server does not have it, the user may not, or another schema of the database gets it at this moment.
exception when feature_not_supported or undefined_file or insufficient_privilege or invalid_schema_name
  or unique_violation or duplicate_object then
  raise debug 'no index of names: %', sqlerrm;
end $$;
