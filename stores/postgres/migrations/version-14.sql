-- Makes the tables of version 14 from those of version 13: a job that repeats parts of another one names it.
alter table jobs add retry_of bigint;
