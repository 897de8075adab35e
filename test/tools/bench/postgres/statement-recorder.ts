// Records what the adapter `postgres` sends to the server, and sends it again with nothing but `pg`.
import { Client, Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg'

/** What one connection was asked for: one statement, or those of a transaction. */
export type Unit = QueryConfig[]

let recorded: Unit[] | undefined
const transactions = new WeakMap<Client, Unit>()
const isBegin = (text: string) => /^(begin|start transaction)/.test(text)
const isEnd = (text: string) => /^(commit|rollback)$/.test(text)

/** From now on `record` knows what every client of `pg` sends. */
export function installRecorder(): void {
  const send = Client.prototype.query
  Client.prototype.query = function record(this: Client, ...args: [query: string | QueryConfig, values?: unknown[]]) {
    const [query, values = []] = args
    if (recorded) keep(this, typeof query === 'string' ? { text: query, values } : query)
    return Reflect.apply(send, this, args)
    // `as`: the package's function has several forms, which stay as they are.
  } as typeof send
}

function keep(client: Client, query: QueryConfig): void {
  if (query.text === 'select 1') return
  const open = transactions.get(client)
  if (open) open.push(query)
  else recorded?.push([query])
  if (isBegin(query.text)) transactions.set(client, recorded?.at(-1) ?? [])
  else if (isEnd(query.text)) transactions.delete(client)
}

/** Returns what the adapter sent during the work, in the order in which it began. */
export async function record(work: () => Promise<unknown>): Promise<Unit[]> {
  const units: Unit[] = []
  recorded = units
  try {
    await work()
  } finally {
    recorded = undefined
  }
  return units
}

/** A pool with the settings of the adapter's, and as many connections. */
export class BarePool {
  readonly #pool: Pool
  failures = 0

  constructor(connection: PoolConfig, schema: string, size: number) {
    this.#pool = new Pool({ ...connection, max: size, options: `-c search_path="${schema}" -c jit=off` })
    // The server ends its connections when it stops.
    this.#pool.on('error', () => {})
  }

  /** Sends all units, `callers` of them at a time. */
  async replay(units: readonly Unit[], callers: number): Promise<void> {
    let next = 0
    const call = async () => {
      for (let unit = units[next++]; unit; unit = units[next++]) await this.#send(unit)
    }
    await Promise.all(Array.from({ length: callers }, call))
  }

  async #send(unit: Unit): Promise<void> {
    const client = await this.#pool.connect()
    try {
      for (const query of unit) await client.query(query)
    } catch {
      // Another sequence of writers than in the recorded run: the same names at the same moment.
      this.failures += 1
      await rollback(client)
    } finally {
      client.release()
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

const rollback = (client: PoolClient) => client.query('rollback')
