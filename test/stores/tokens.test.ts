// Tokens and users in the folder of the embedded store: their stored format, folders without them, and the check.

import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBackup } from '../../host/cli/commands/backup-file.ts'
import { check } from '../../stores/lowdb/index.ts'
import { encode, scan } from '../../stores/lowdb/journal/record-format.ts'
import openMemory from '../../stores/memory/index.ts'
import type { Entry } from '../../stores/store.ts'
import { entriesOf } from '../conformance/fill.ts'
import { addCenter, addRoom } from '../conformance/samples.ts'
import { token, user } from '../conformance/token-samples.ts'
import { job, schedule } from '../conformance/work-samples.ts'
import { newFolder, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'
import { fixture, readEntries, toCurrent, withFolder } from './fixture-files.ts'

const test = suite('tokens and users in the folder of the embedded store')

test('a folder of the version before tokens and users is read, and keeps the tokens that are added', () =>
  withFolder('folder-2', async path => {
    const opened = await openIn(path)
    assert.equal(await entriesOf(opened.store), (await readEntries('backup-2.jsonl')).map(toCurrent))
    assert.equal([await opened.store.tokens.list(), await opened.store.users.list()], [[], []])
    const limits = { centers: [2], rooms: [1] }
    await opened.store.tokens.add(token('lab', limits))
    await opened.store.close()
    await takeSnapshot(path)
    const again = await openIn(path)
    assert.equal(await again.store.tokens.list(), [{ id: 1, ...token('lab', limits) }])
    await again.store.close()
    const findings = await check(opened.options)
    assert.ok(
      findings.every(({ ok }) => ok),
      JSON.stringify(findings),
    )
  }))

test('a backup of the version before tokens and users is loaded, and replaces tokens', async () => {
  const store = await openMemory({ adapter: 'memory', path: '' }, silent)
  await store.tokens.add(token('lab'))
  await store.backup.load(readBackup(fixture('backup-2.jsonl')))
  assert.equal(await store.tokens.list(), [])
  const rows = (entries: Entry[]) => entries.filter(([name, row]) => typeof row !== 'number' && name !== 'parts')
  const current = (await readEntries('backup-2.jsonl')).map(toCurrent)
  assert.equal(rows(await entriesOf(store)), rows(current))
})

/** The records of a file without its header. */
async function recordsIn(file: string): Promise<string[]> {
  const records: string[] = []
  scan(await readFile(file), json => records.push(json))
  return records
}

test('the rows of tokens and users are written character by character as later versions must read them', async () => {
  const path = await newFolder()
  const opened = await openIn(path)
  const center = await addCenter(opened.store)
  const room = await addRoom(opened.store, center)
  await opened.store.tokens.add(token('lab', { centers: [center], rooms: [room] }))
  await opened.store.users.add(user('anna'))
  await opened.store.users.setUsed([{ id: 1, used: 1_700_000_009 }])
  await opened.store.jobs.add(job({ by: 'user anna', steps: [] }), [])
  await opened.store.schedules.add(schedule({ by: 'token:1' }))
  await opened.store.close()
  const userRow = (used: number) =>
    '["users",{"id":1,"name":"anna","hash":"scrypt hash of the password of anna","role":"operate","centers":[],' +
    `"rooms":[],"created":1700000000,"by":"admin","disabled":false,"used":${used}}]`
  const tokenRow =
    '["tokens",{"id":1,"name":"lab","hash":"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",' +
    '"role":"operate","centers":[1],"rooms":[1],"created":1700000000,"by":"admin","disabled":false,"used":0,' +
    '"expires":1800000000}]'
  assert.equal((await recordsIn(join(path, 'journal.0'))).slice(2), [
    `[${tokenRow}]`,
    `[${userRow(0)}]`,
    `[${userRow(1_700_000_009)}]`,
    '[["jobs",{"id":1,"created":1700000000000,"origin":"request","name":"shell-run","by":"user anna","steps":"[]"}]]',
    '[["schedules",{"id":1,"type":"task","task":7,"name":"nightly","suspended":0,"since":1700000000000,' +
      '"years":4294967295,"months":4095,"weeks":0,"week_days":127,"days":0,"hours":2,"am_pm":1,"minutes":30,' +
      '"by":"token:1"}]]',
  ])
  await takeSnapshot(path)
  const snapshot = await recordsIn(join(path, 'snapshot.1'))
  for (const record of [`[${tokenRow}]`, `[${userRow(1_700_000_009)}]`]) assert.ok(snapshot.includes(record), record)
  assert.match(snapshot[0] ?? '', '["tokens",1],["users",1]')
  await rm(path, { recursive: true })
})

test('the check finds names that two tokens or users have, and centers and rooms that never existed', async () => {
  const path = await newFolder()
  const opened = await openIn(path)
  const center = await addCenter(opened.store)
  await addRoom(opened.store, center)
  await opened.store.tokens.add(token('lab', { centers: [center] }))
  await opened.store.centers.delete(center)
  await opened.store.close()
  assert.equal(
    (await check(opened.options)).filter(({ ok }) => !ok),
    [],
  )
  const journal = join(path, 'journal.0')
  const rows = [
    ['tokens', { id: 2, ...token('lab', { centers: [1, 2] }) }],
    ['users', { id: 1, ...user('anna', { rooms: [3] }) }],
    ['users', { id: 2, ...user('anna') }],
  ]
  const { sum } = scan(await readFile(journal), () => {})
  await appendFile(journal, encode(JSON.stringify(rows), sum).record)
  const problems = (await check(opened.options)).filter(({ ok }) => !ok).map(({ message }) => message)
  assert.equal(problems.sort(), [
    'tokens 1: name taken twice',
    'tokens 2: center 2 never existed',
    'users 1: name taken twice',
    'users 1: room 3 never existed',
  ])
  await rm(path, { recursive: true })
})

test.run()
