// A PostgreSQL that answers slowly, or takes no other connection, is no server that is gone.
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, match } from 'uvu/assert'
import { Connections } from '../../stores/postgres/connection-pool.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { failure } from '../harness/store-folders.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres()
const { host, database, user } = server.storeOptions('')
const folder = mkdtempSync(join(tmpdir(), 'busy-postgres-'))
const socketName = '.s.PGSQL.5432'

const sockets = new Set<Socket>()
let takesConnections = true
/** Stands before the server: it passes everything on, or accepts a connection without ever answering. */
const proxy = createServer(socket => {
  sockets.add(socket)
  socket.on('error', () => {})
  if (!takesConnections) return
  const toServer = createConnection(join(host, socketName))
  sockets.add(toServer)
  toServer.on('error', () => socket.destroy())
  socket.pipe(toServer).pipe(socket)
  socket.on('close', () => toServer.destroy())
})
await new Promise<void>(resolve => proxy.listen(join(folder, socketName), resolve))

const test = suite('busy PostgreSQL')
test.after(async () => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('while the server answers one statement after the other, none fails because it takes no connection', async () => {
  const connections = new Connections({
    connection: { host: folder, database, user },
    schema: 'public',
    pool: 2,
    label: '',
  })
  const client = await connections.connect()
  takesConnections = false
  // Longer than the server may be silent, and than a connection may take.
  for (let count = 0; count < 20; count += 1) await client.query('select pg_sleep(0.2)', [])
  match(await failure(connections.connect()), /^PostgreSQL: /)
  is((await client.query('select 1 as one', [])).rows.length, 1)
  for (const socket of sockets) socket.pause()
  match(await failure(client.query('select 2 as two', [])), /^PostgreSQL: /)
  client.release()
  await connections.end()
})

test.run()
