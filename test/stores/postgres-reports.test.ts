// The views for reports, as docs/postgres.md says they are used.
import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import open from '../../stores/postgres/index.ts'
import { addLab, computer, image, report, restoredImage, row, software } from '../conformance/samples.ts'
import { job, part } from '../conformance/work-samples.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { silent } from '../harness/store-folders.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('reports of the store postgres')

const server = await startPostgres()
const client = await server.connect()
const now = Date.now()

test.before(async () => {
  // The documentation grants the right to connect to a database of this name.
  await client.query('create database fleet')
  const store = await open({ ...server.storeOptions('fleet'), path: '' }, silent)
  const lab = await addLab(store, '10.1.0.9', '10.1.0.10')
  await store.computers.add([computer(lab, '10.2.0.1', { mac: '' }), computer(lab, 'no address')])
  const id = Number(await store.images.add(image('old')))
  await store.inventory.refresh('10.1.0.9', report(row(1, 'Linux')))
  await store.inventory.setSoftware('10.1.0.9', 1, 1, software('Linux', 'Firefox 128'))
  await store.images.recordRestore('10.2.0.1', { ...restoredImage(id), version: 3, at: now - 40 * 86_400_000 })
  const failed = part('10.1.0.9', { state: 'failure', reason: 'no answer', sent: now - 2000, ended: now - 500 })
  await store.jobs.add(job(), [failed, part('10.1.0.10'), part('elsewhere')])
  await store.close()
})

test.after(async () => {
  await client.end()
  await server.stop()
})

test('the statements of the documentation run as they are written', async () => {
  const text = await readFile(new URL('../../docs/postgres.md', import.meta.url), 'utf8')
  const [grants = '', ...queries] = [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, statement = '']) => statement)
  await client.query(grants)
  await client.query('set role reports')
  const results = []
  for (const query of queries) results.push((await client.query(query)).rows)
  await client.query('reset role')
  const [withoutImage, failures, oldImages, programs] = results
  equal(
    withoutImage?.map(({ ip }) => ip),
    ['10.1.0.9', '10.1.0.10'],
  )
  equal(
    failures?.map(({ ip, reason, ended, took }) => [ip, reason, ended.getTime(), took.milliseconds]),
    [['10.1.0.9', 'no answer', now - 500, 500]],
  )
  equal(
    oldImages?.map(({ ip, image, image_version }) => [ip, image, image_version]),
    [['10.2.0.1', 'old', '3']],
  )
  equal(
    programs?.map(({ ip, program }) => [ip, program]),
    [['10.1.0.9', 'Firefox 128']],
  )
})

test('what is not there is null, and so is an address that is none', async () => {
  const { rows } = await client.query('select ip, mac, seat_row from fleet.report_computers order by ip')
  equal(rows.slice(2), [
    { ip: '10.2.0.1', mac: null, seat_row: null },
    { ip: null, mac: '0a:0b:0c:0d:0e:0f', seat_row: null },
  ])
  const { rows: parts } = await client.query(
    'select ip, sent, ended, reason from fleet.report_job_parts where part = 1',
  )
  equal(parts, [{ ip: '10.1.0.10', sent: null, ended: null, reason: null }])
})

test('each table, view and time says what it is', async () => {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'fleet'::regnamespace and relkind in ('r', 'v') and obj_description(oid) is null
    union all
    select concat(relname, '.', attname) from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'fleet'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and atttypid = 'bigint'::regtype and attname in ('created', 'queued', 'sent', 'ended', 'since', 'used', 'time', 'joined')
      and relname <> 'agents'`)
  equal(rows, [])
  const { rows: comments } = await client.query("select col_description('fleet.images'::regclass, 2) as text")
  ok(/Unique/.test(comments[0].text))
})

test.run()
