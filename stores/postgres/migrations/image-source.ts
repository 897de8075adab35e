// Version 8 of the tables: the disk and partition that an image was made of.
import { sql } from 'kysely'

// 0: not known, as for images that were stored before.
export const imageSource = [
  sql`
    alter table images
      add column disk bigint not null default 0,
      add column partition bigint not null default 0`,
]
