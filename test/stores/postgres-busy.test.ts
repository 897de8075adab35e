// A PostgreSQL that answers slowly, or takes no other connection, is no server that is gone.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'pg'
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { Connections } from '../../stores/postgres/connection/connection-pool.ts'
import { failure } from '../harness/store-folders.ts'

export const runs = { seconds: 16 }

const folder = mkdtempSync(join(tmpdir(), 'busy-postgres-'))

/** Milliseconds of a statement. */
const statementTime = 100

/** Milliseconds after a connection that is not answered: about when it is given up, the server sends nothing to others. */
const silence = { from: 1150, until: 1600 }

/** A message of PostgreSQL: its type, its length with that number, and its content. */
function message(type: string, content: string | Buffer = ''): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${type}....`), Buffer.from(content)])
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

const ready = message('Z', 'I')
const authenticated = Buffer.concat([message('R', Buffer.alloc(4)), ready])
/** The statement is parsed and bound, and has ended without a row. */
const noRows = Buffer.concat([message('1'), message('2'), message('n'), message('C', 'SELECT 0\0'), ready])

/**
 * What the adapter uses of a server, without one: on a busy machine a real server may get no processor for longer than it
 * may be silent. It takes its first connection, and keeps silent on others.
 */
const sockets: Socket[] = []
/** Connections that are not answered but ended, with what they have sent: the other side gets ECONNRESET. */
let toEnd = 0
let silent: { from: number; until: number }[] = []
const server = createServer({ pauseOnConnect: true }, socket => {
  sockets.push(socket)
  socket.on('error', () => {})
  if (sockets.length > 1 && toEnd > 0) {
    toEnd -= 1
    return void setTimeout(() => socket.destroy(), statementTime)
  }
  socket.resume()
  const now = performance.now()
  if (sockets.length > 1) return void silent.push({ from: now + silence.from, until: now + silence.until })
  socket.once('data', () => {
    socket.write(authenticated)
    socket.on('data', async () => {
      await wait(statementTime)
      const now = performance.now()
      silent = silent.filter(({ until }) => until > now)
      for (const { from, until } of silent) if (from < now) await wait(until - now)
      socket.write(noRows)
    })
  })
})
await new Promise<void>(resolve => server.listen(join(folder, '.s.PGSQL.5432'), resolve))

const options = {
  connection: { host: folder, database: 'fleet', user: 'fleet' },
  schema: 'public',
  pool: 2,
  label: '',
}

const test = suite('busy PostgreSQL')
test.after(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('while the server answers one statement after the other, none fails because it takes no connection', async () => {
  const connections = new Connections(options)
  const client = await connections.connect()
  const refused = failure(connections.connect())
  // Longer than the server may be silent, and than two connections may take.
  for (let count = 0; count < 25; count += 1) await client.query('select', [])
  is(await refused, 'PostgreSQL: the server does not respond')
  sockets[0]?.removeAllListeners('data')
  is(await failure(client.query('select', [])), 'PostgreSQL: the server does not respond')
  client.release()
  await connections.end()
})

test('while this process is paused, a server that is silent meanwhile is not given up', async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  const connections = new Connections(options)
  const client = await connections.connect()
  // The check has begun, with a connection that the server does not answer.
  await once(server, 'connection')
  await wait(200)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  await wait(300)
  is((await client.query('select', [])).rows.length, 0)
  client.release()
  await connections.end()
})

test('connections of the check that end do not end one that is answered', async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  // More than one check opens.
  toEnd = 4
  const connections = new Connections(options)
  const client = await connections.connect()
  // Until the check has asked again.
  for (let count = 0; count < 200 && sockets.length < 6; count += 1) await client.query('select', [])
  is(sockets.length, 6)
  is((await client.query('select', [])).rows.length, 0)
  client.release()
  await connections.end()
})

test('one check runs at a time', async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  let [asks, mostAsks] = [0, 0]
  const { query } = Pool.prototype
  async function count(this: Pool, text: string) {
    asks += 1
    mostAsks = Math.max(asks, mostAsks)
    try {
      return await Reflect.apply(query, this, [text])
    } finally {
      asks -= 1
    }
  }
  Object.assign(Pool.prototype, { query: count })
  const connections = new Connections(options)
  const client = await connections.connect()
  for (let count = 0; count < 200 && sockets.length < 2; count += 1) await client.query('select', [])
  const refused = failure(connections.connect())
  // Until long after another check would have begun.
  for (let count = 0; count < 12; count += 1) await client.query('select', [])
  Object.assign(Pool.prototype, { query })
  is(mostAsks, 1)
  is(await refused, 'PostgreSQL: the server does not respond')
  client.release()
  await connections.end()
})

test.run()
