// Outputs of the last scripts of clients, which every host shows.
import { sql } from 'kysely'
import type { Publications } from '../../store.ts'
import type { Database } from '../database.ts'

export function sharedOutputs(database: Database): Pick<Publications, 'outputs' | 'setOutput' | 'clearOutputs'> {
  /** In the order of the addresses, so that hosts lock the rows in the same order. */
  async function put(clients: readonly string[], output: string): Promise<void> {
    const statement = sql`
      insert into script_outputs (client, output)
      select distinct client, ${output}::text from unnest(${clients}::text[]) as clients (client) order by client
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
    setOutput: (client, output) => put([client], output),
    clearOutputs: clients => put(clients, ''),
  }
}
