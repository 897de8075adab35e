// Outputs of the last scripts of clients, which every host shows.
import type { Publications } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { sql, toTable } from '../connection/sql.ts'

export function sharedOutputs(database: Database): Pick<Publications, 'outputs' | 'setOutputs' | 'clearOutputs'> {
  /** In the order of the addresses, so that hosts lock the rows in the same order. */
  async function setOutputs(outputs: ReadonlyMap<string, string>): Promise<void> {
    const rows = [...outputs].map(([client, output]) => ({ client, output }))
    const statement = sql`
      insert into script_outputs (client, output)
      select client, output from ${toTable('outputs', { client: 'text', output: 'text' }, rows)}
      order by client
      on conflict (client) do update set output = excluded.output`
    await database.write(statements => statement.run(statements))
  }

  return {
    async outputs(clients) {
      const rows = await sql<{ client: string; output: string }>`
        select client, output from script_outputs where client = any(${clients}::text[])
      `.all(database.read)
      return new Map(rows.map(({ client, output }) => [client, output]))
    },
    setOutputs,
    clearOutputs: clients => setOutputs(new Map(clients.map(client => [client, '']))),
  }
}
