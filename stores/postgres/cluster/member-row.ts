// The row of a host, which each of its writes locks: after the host was removed, nothing of this epoch is stored.
import type { HostKey } from '../../store.ts'
import { type Sql, sql } from '../connection/sql.ts'

/** No row when this epoch is no member. Its removal waits for the end of the transaction. */
export const memberRow = ({ name, epoch }: HostKey): Sql =>
  sql`select name, epoch from hosts where name = ${name} and epoch = ${epoch} for key share`

export const notMember = ({ name }: HostKey): Error =>
  new Error(`store: host ${name}: expected a member of the fleet, got one that was removed`)
