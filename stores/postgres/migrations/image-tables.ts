// Version 2 of the tables, images: how many are copied at once, which version an image has, and which a partition has.
import { sql } from 'kysely'

export const imageTables = [
  // 0: any number.
  sql`alter table repositories add column slots bigint not null default 0`,
  // 0: not known, as for what was stored before.
  sql`alter table images add column version bigint not null default 0`,
  sql`
    alter table partitions
      add column image_version bigint not null default 0,
      -- Milliseconds since 1970.
      add column image_since bigint not null default 0`,
]
