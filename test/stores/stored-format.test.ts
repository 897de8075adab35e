// The stored formats: data and backups of an earlier version, in `fixtures/`, must stay readable.
//
// It was written by the version before the store's records were described by their columns, with `fixture-writes.ts`.

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open, { check } from '../../stores/lowdb/index.ts'
import { scan } from '../../stores/lowdb/journal/record-format.ts'
import openMemory from '../../stores/memory/index.ts'
import { offsetOf, segmentOf } from '../../stores/memory/outputs.ts'
import type { Entry, IndexedPart, Store } from '../../stores/store.ts'
import { entriesOf } from '../conformance/fill.ts'
import { newFolder, silent, takeSnapshot } from '../harness/store-folders.ts'
import { fixture, readEntries, withFolder } from './fixture-files.ts'
import { row } from './fixture-samples.ts'
import { writeJournalPart, writeSnapshotPart } from './fixture-writes.ts'

const test = suite('stored formats')

const expected: unknown = JSON.parse(await readFile(fixture('expected.json'), 'utf8'))

const backup = await readEntries('backup.jsonl')

async function withStore(path: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await open({ adapter: 'lowdb', path }, silent)
  await work(store).finally(() => store.close())
}

/** Everything that the methods of a store return, except the parts of jobs. */
async function readAll(store: Store) {
  const scopes = await store.scopes()
  const rooms = scopes.flatMap(center => center.scope.map(({ id }) => id))
  const computers = await store.computers.list()
  const schedules = await store.schedules.list()
  const commands = schedules.filter(({ type }) => type === 'command')
  const unfinished = await store.jobs.unfinished()
  return {
    scopes,
    tokens: await store.tokens.list(),
    users: await store.users.list(),
    rooms: await Promise.all(rooms.map(id => store.rooms.find(id))),
    repositories: await store.repositories.list(),
    computers,
    inventory: Object.fromEntries(
      await Promise.all(computers.map(async ({ ip }) => [ip, await inventoryOf(store, ip)])),
    ),
    images: await store.images.list(),
    procedures: await store.procedures.list(),
    tasks: await store.tasks.list(),
    schedules,
    scheduledCommands: await Promise.all(commands.map(({ task }) => store.schedules.findScheduledCommand(task))),
    jobs: await store.jobs.list({ limit: 1000 }),
    unfinished: unfinished.map(({ job, parts }) => ({ job: job.id, parts: parts.map(({ index }) => index) })),
  }
}

async function inventoryOf(store: Store, ip: string) {
  const partitions = await store.inventory.partitions(ip)
  const software = partitions.map(async ({ disk, partition }) => [
    `${disk}.${partition}`,
    await store.inventory.software(ip, disk, partition),
  ])
  return {
    partitions,
    sessions: await store.inventory.sessions(ip),
    hardware: await store.inventory.hardware(ip),
    software: Object.fromEntries(await Promise.all(software)),
  }
}

/** The parts of a job in the backup. */
function partsInBackup(job: number): IndexedPart[] {
  return backup.flatMap(([, row]) => {
    if (typeof row === 'number' || !('parts' in row) || row.id !== job) return []
    return row.parts.map((part, at) => ({ index: row.from + at, ...part }))
  })
}

async function assertParts(store: Store): Promise<void> {
  for (const { id, counts } of await store.jobs.list({ limit: 1000 })) {
    const parts = await store.jobs.parts(id, { limit: 1000 })
    assert.equal(parts, partsInBackup(id))
    assert.is(
      parts.length,
      Object.values(counts).reduce((sum, count) => sum + count, 0),
    )
  }
}

test('a snapshot and a journal of an earlier version are read completely', () =>
  withFolder('folder', path =>
    withStore(path, async store => {
      assert.equal(await readAll(store), expected)
      await assertParts(store)
      assert.is((await store.jobs.parts(2, { limit: 1000 })).length, 130)
    }),
  ))

test('ids of rows that an earlier version deleted are not assigned again', () =>
  withFolder('folder', path =>
    withStore(path, async store => {
      assert.is(await store.centers.add({ name: 'new', comment: '' }), 4)
      assert.is(await store.repositories.add({ name: 'new', ip: '10.0.0.9' }), 5)
      const BCACHEFS = { ...row(1), filesystem: 'BCACHEFS' }
      await store.inventory.refresh('10.0.1.3', { rows: [BCACHEFS], serial_number: '' })
      assert.is((await store.inventory.partitions('10.0.1.3'))[0]?.filesystem, 21 + 2)
      assert.is(await store.jobs.add({ created: 1, origin: 'request', name: 'new', by: '', steps: [] }, []), 10)
    }),
  ))

test('the check of a folder of an earlier version finds no problems', () =>
  withFolder('folder', async path => {
    const findings = await check({ adapter: 'lowdb', path })
    assert.is(findings.length, 3)
    assert.ok(
      findings.every(({ ok }) => ok),
      JSON.stringify(findings),
    )
  }))

test('the dump of a folder of an earlier version has the entries of the backup of that version', () =>
  withFolder('folder', path =>
    withStore(path, async store => {
      assert.equal(await entriesOf(store), backup)
    }),
  ))

test('a backup of an earlier version can be loaded, and its dump is the same', async () => {
  const store = await openMemory({ adapter: 'memory', path: '' }, silent)
  async function* entries() {
    yield* backup
  }
  await store.backup.load(entries())
  assert.equal(await readAll(store), expected)
  await assertParts(store)
  // Only the split of a job's parts into rows may differ.
  const withoutParts = (list: Entry[]) => list.filter(([name]) => name !== 'parts')
  assert.equal(withoutParts(await entriesOf(store)), withoutParts(backup))
})

/** The rows in a file, in the sequence of its records. */
async function rowsIn(file: string): Promise<string[]> {
  const rows: string[] = []
  scan(await readFile(file), json => {
    const record: unknown = JSON.parse(json)
    if (Array.isArray(record)) rows.push(...record.map(change => JSON.stringify(change)))
  })
  return rows
}

test('the rows in snapshots and journals are written character by character as an earlier version wrote them', async () => {
  const path = await newFolder()
  await withStore(path, writeSnapshotPart)
  await takeSnapshot(path)
  await withStore(path, writeJournalPart)
  for (const name of ['snapshot.1', 'journal.1']) {
    assert.equal(await rowsIn(join(path, name)), await rowsIn(join(fixture('folder'), name)), name)
  }
  await rm(path, { recursive: true })
})

test('the reference to an output is 16,777,216 times its file plus its first byte', () => {
  const reference = 5 * 16_777_216 + 7
  assert.equal([segmentOf(reference), offsetOf(reference)], [5, 7])
})

test.run()
