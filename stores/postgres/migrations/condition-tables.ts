// Under which conditions the queued parts of jobs may be sent, and which ones wait for others to end.
import { sql } from 'kysely'

export const conditionTables = [
  // Null: none.
  sql`alter table jobs add column conditions json`,
  // Parts that hosts could send if their limits allowed it; a host asks again each second.
  sql`
    create unlogged table slot_waits (
      name text not null,
      job bigint not null,
      part integer not null,
      asked timestamptz not null,
      primary key (name, job, part)
    )`,
]
