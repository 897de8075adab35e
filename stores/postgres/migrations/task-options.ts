// Version 5 of the tables: how tasks run.
import { sql } from 'kysely'

// Null for tasks without options, as for those that were stored before.
export const taskOptions = [sql`alter table tasks add column options json`]
