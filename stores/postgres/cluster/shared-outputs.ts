// Outputs of the last scripts of clients, which every host shows.
import { sql } from 'kysely'
import type { Publications } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function sharedOutputs(database: Database): Pick<Publications, 'outputs' | 'setOutputs' | 'clearOutputs'> {
  /** In the order of the addresses, so that hosts lock the rows in the same order. */
  async function setOutputs(outputs: ReadonlyMap<string, string>): Promise<void> {
    const statement = sql`
      insert into script_outputs (client, output)
      select client, output
      from unnest(${[...outputs.keys()]}::text[], ${[...outputs.values()]}::text[]) as outputs (client, output)
      order by client
      on conflict (client) do update set output = excluded.output`
    await database.write(statements => statement.execute(statements))
  }

  return {
    async outputs(clients) {
      const { rows } = await sql<{ client: string; output: string }>`
        select client, output from script_outputs where client = any(${clients}::text[])
      `.execute(database.read)
      return new Map(rows.map(({ client, output }) => [client, output]))
    },
    setOutputs,
    clearOutputs: clients => setOutputs(new Map(clients.map(client => [client, '']))),
  }
}
