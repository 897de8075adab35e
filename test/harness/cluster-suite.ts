// A suite about several hosts in a private PostgreSQL: each test has a schema of its own.
import { suite, type Test } from 'uvu'
import { type ClusterHost, type ClusterStores, newClusterStores } from './cluster-stores.ts'
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres.ts'
import { skipFile } from './skip-file.ts'

export interface FleetContext {
  fleet: ClusterStores
}

/** A fleet of which two hosts are members. */
export interface HostsContext extends FleetContext {
  a: ClusterHost
  b: ClusterHost
}

export interface ClusterSuite<Context> {
  test: Test<Context>
  server: PostgresServer
  query(text: string): Promise<Record<string, unknown>[]>
}

/** Skips the file without PostgreSQL. With `fsync` a test may kill the server. */
export async function clusterSuite<Context extends FleetContext>(
  name: string,
  options: { fsync?: boolean } = {},
): Promise<ClusterSuite<Context>> {
  if (postgresPrograms === undefined) skipFile('postgresql')
  const server = await startPostgres(options)
  const test = suite<Context>(name)
  const openNew = newClusterStores(server)
  test.before.each(async context => {
    context.fleet = await openNew()
  })
  test.after.each(({ fleet }) => fleet.close())
  test.after(() => server.stop())
  return {
    test,
    server,
    async query(text) {
      const client = await server.connect()
      const { rows } = await client.query(text)
      await client.end()
      return rows
    },
  }
}

export async function twoHostSuite(name: string): Promise<ClusterSuite<HostsContext>> {
  const made = await clusterSuite<HostsContext>(name)
  made.test.before.each(async context => {
    context.a = await context.fleet.host('a')
    context.b = await context.fleet.host('b')
  })
  return made
}
