// Whose account asked for each job: its rights are asked when a part that waits is sent.
import { sql } from 'kysely'

// Null: the job is of an earlier version.
export const jobAccounts = [sql`alter table jobs add column account text`]
