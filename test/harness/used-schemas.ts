// Schemas of a PostgreSQL server that are used again: making the tables of a store takes much longer than emptying them.
import type { Pool, PoolConfig } from 'pg'

/** Its tables are never written: what a new store has in them is copied from here. */
const unused = 'unused_tables'

/** Rows take less time to delete than a file to replace, up to so many bytes. */
const smallTable = 1 << 17

export class UsedSchemas {
  readonly #connection: PoolConfig
  /** Of these schemas no store is open, and their tables are those of a new store. */
  readonly #free: string[] = []
  #pool: Promise<Pool> | undefined
  #count = 0

  /** The user is a superuser. */
  constructor(connection: PoolConfig) {
    this.#connection = connection
  }

  /** The name of a schema for a new store. `prefix` is one that no other process uses. */
  take(prefix: string): string {
    this.#count += 1
    return this.#free.pop() ?? `${prefix}_${this.#count}`
  }

  /** Of a store that is closed, in each process. */
  async giveBack(schema: string): Promise<void> {
    this.#pool ??= this.#start()
    const pool = await this.#pool
    await pool.query(emptying(schema))
    this.#free.push(schema)
  }

  async #start(): Promise<Pool> {
    // Only processes with such stores load them.
    const [{ Pool }, { default: open }] = await Promise.all([import('pg'), import('../../stores/postgres/index.ts')])
    const silent = { info() {}, warn() {} }
    const { host, database, user } = this.#connection
    // Other processes may do the same.
    const options = { adapter: 'postgres', path: '', member: 'test', host, database, user, schema: unused }
    const store = await open(options, silent)
    await store.close()
    // One connection, which takes longer to open than a schema to empty. It does not keep the process running.
    const pool = new Pool({ host, database, user, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The server may end before the process.
    pool.on('error', () => {})
    return pool
  }
}

/** Without triggers and checks of references, so that the order of the tables does not matter. */
const emptying = (schema: string) => `
  set session_replication_role = replica;
  do $$
  declare
    names text[];
    name text;
    sequence record;
  begin
    select array_agg(tablename) into names from pg_tables where schemaname = '${schema}';
    foreach name in array names loop
      if pg_relation_size(format('${schema}.%I', name)) > ${smallTable} then
        execute format('truncate ${schema}.%I cascade', name);
      elsif pg_relation_size(format('${schema}.%I', name)) > 0 then
        execute format('delete from ${schema}.%I', name);
      end if;
    end loop;
    foreach name in array names loop
      if pg_relation_size(format('${unused}.%I', name)) > 0 then
        execute format('insert into ${schema}.%I select * from ${unused}.%I', name, name);
      end if;
    end loop;
    for sequence in select * from pg_sequences where schemaname = '${unused}' loop
      perform setval(
        format('${schema}.%I', sequence.sequencename),
        coalesce(sequence.last_value, sequence.start_value),
        sequence.last_value is not null);
    end loop;
  end $$`
