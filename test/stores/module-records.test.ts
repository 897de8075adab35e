// Documents and stored events in the folder of the embedded store: their stored format, and the check.
import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { check } from '../../stores/lowdb/index.ts'
import { encode, scan } from '../../stores/lowdb/journal/record-format.ts'
import { newFolder, openIn, takeSnapshot } from '../harness/store-folders.ts'

const test = suite('documents and stored events in the folder of the embedded store')

async function recordsIn(file: string): Promise<string[]> {
  const records: string[] = []
  scan(await readFile(file), json => records.push(json))
  return records
}

const addCenter = (store: Awaited<ReturnType<typeof openIn>>['store'], name: string) =>
  store.storedEvents.recording(
    () => [{ type: 'image-added', name }],
    recording => recording.centers.add({ name, comment: '' }),
  )

test('their rows are written character by character as later versions must read them', async () => {
  const path = await newFolder()
  const { store } = await openIn(path)
  await store.documents.put({ pack: 'lab', collection: 'rules', key: 'a', value: '{"x":1}' })
  await store.documents.put({ pack: 'lab', collection: 'rules', key: 'a', value: '2' })
  store.storedEvents.record(['image-added'])
  for (const name of ['first', 'second', 'third']) await addCenter(store, name)
  const [one, two, three] = (await store.storedEvents.read(0, 9)).map(({ time }) => time)
  await store.storedEvents.trim(1, 1)
  await store.documents.delete({ pack: 'lab', collection: 'rules', key: 'a' })
  await store.close()
  const documentRow = (value: string, version: number) =>
    `["documents",{"id":1,"pack":"lab","collection":"rules","key":"a","value":"${value}","version":${version}}]`
  const centerRow = (id: number, name: string) => `["centers",{"id":${id},"name":"${name}","comment":""}]`
  const eventRow = (id: number, time: number | undefined, name: string) =>
    `["events",{"id":${id},"time":${time},"event":"{\\"type\\":\\"image-added\\",\\"name\\":\\"${name}\\"}"}]`
  assert.equal(await recordsIn(join(path, 'journal.0')), [
    `[${documentRow('{\\"x\\":1}', 1)}]`,
    `[${documentRow('2', 2)}]`,
    `[${centerRow(1, 'first')},${eventRow(1, one, 'first')}]`,
    `[${centerRow(2, 'second')},${eventRow(2, two, 'second')}]`,
    `[${centerRow(3, 'third')},${eventRow(3, three, 'third')}]`,
    `[["events",1],["events",2],["losses",{"id":1,"event":2,"since":${two},"until":${two}}]]`,
    '[["documents",1]]',
  ])
  await takeSnapshot(path)
  const snapshot = await recordsIn(join(path, 'snapshot.1'))
  assert.match(snapshot[0] ?? '', '["documents",1],["events",3],["losses",1]')
  assert.ok(snapshot.includes(`[${eventRow(3, three, 'third')}]`))
  await rm(path, { recursive: true })
})

test('the check finds documents with one key, values that are no JSON, and events that count as lost', async () => {
  const path = await newFolder()
  const { store, options } = await openIn(path)
  await store.documents.put({ pack: 'lab', collection: 'rules', key: 'a', value: '1' })
  await store.close()
  const problems = async () => (await check(options)).flatMap(({ ok, message }) => (ok ? [] : message))
  assert.equal(await problems(), [])
  const journal = join(path, 'journal.0')
  const rows = [
    ['documents', { id: 2, pack: 'lab', collection: 'rules', key: 'a', value: '{', version: 0 }],
    ['events', { id: 3, time: 1, event: '{' }],
    ['losses', { id: 1, event: 4, since: 1, until: 1 }],
  ]
  const { sum } = scan(await readFile(journal), () => {})
  await appendFile(journal, encode(JSON.stringify(rows), sum).record)
  assert.equal((await problems()).sort(), [
    'documents 1: key taken twice',
    'documents 2: expected a version from 1 on, got 0',
    'documents 2: value is not JSON',
    'events 3: counts as lost',
    'events 3: is not JSON',
    'events: 4 was lost and never existed',
  ])
  await rm(path, { recursive: true })
})

test.run()
