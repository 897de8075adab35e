// What the audit log of one host says of changes that another host of the fleet has taken back.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres()
const startOne = (name: string) =>
  startTestHost({ options: { store: server.storeOptions('audit'), cluster: { name, lease_seconds: 3 } } })
const [a, b] = [await startOne('a'), await startOne('b')]

const test = suite('audit logs of several hosts')
test.after(async () => {
  await b.stop()
  await a.stop()
  await server.stop()
})

interface AuditRecord {
  undoes?: number
}

const undosAt = async (host: TestHost) =>
  (await host.call('GET /audit?route=/undo')).json.audit.filter(({ undoes }: AuditRecord) => undoes !== undefined)

test('each host records who has taken a change back on another one, once', async () => {
  await a.addComputer('127.0.0.2')
  const { headers } = await a.call('POST /room/update', { room: 1, location: 'Attic' })
  const id = Number(headers['x-undo-id'])
  const { json } = await b.call('POST /token/add', { name: 'second', role: 'admin' })
  is((await b.call('POST /undo', { id }, { Authorization: json.token })).status, 200)
  await pollUntil(async () => (await undosAt(a)).length > 0)
  const [{ time: _, ...record }] = await undosAt(a)
  const about = { who: 'token second', name: 'room Room changed: location', undoes: id }
  equal(record, { ...about, address: '', route: 'POST /undo', status: 200, clients: [], count: 0 })
  equal([(await undosAt(a)).length, (await undosAt(b)).length], [1, 1])
})

test.run()
