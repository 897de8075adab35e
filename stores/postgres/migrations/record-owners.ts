// The room that an image belongs to, and what the schedule of a planned restore was made with.
import { sql } from 'kysely'

export const recordOwners = [
  // 0: it belongs to no room.
  sql`alter table images add column room_number bigint not null default 0`,
  sql`alter table schedules add column plan_task bigint, add column plan_procedure bigint`,
]
