-- Drops the views and functions that each version makes anew, with their triggers.
do $$
declare
  statement text;
begin
  for statement in
    select format('drop view %s cascade', oid::regclass) from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'v' and relname like 'report\_%'
    union all
    select format('drop function %s cascade', oid::regprocedure) from pg_proc
    where pronamespace = current_schema()::regnamespace
      and proname ~ '^(delete_unused|after_delete_of|after_update_of)_|^keep_row$|^to_(hardware_)?address$'
  loop
    execute statement;
  end loop;
end $$;
