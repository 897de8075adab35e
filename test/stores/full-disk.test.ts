// The embedded store on a full disk.
import * as assert from 'uvu/assert'
import { type FillableStore, type Rule, suites } from '../conformance/rule.ts'
import { addCenter, addLab, addRoom, computer, report, row, software } from '../conformance/samples.ts'
import { token, user } from '../conformance/token-samples.ts'
import { allWork, job, parts, success, upTo } from '../conformance/work-samples.ts'
import { mayMount, openOnSmallDisk, openWithQuota } from './fillable-stores.ts'

const isRefused = (writing: Promise<unknown>) =>
  writing.then(
    () => false,
    () => true,
  )

const long = Array.from({ length: 2000 }, (_, at) => `program ${at} of a list that needs space`)

function fullDisk(rule: Rule<FillableStore>): void {
  rule(
    'a write that does not fit on the disk is refused and changes nothing',
    async (store, { fill, free, reopen }) => {
      const lab = await addLab(store, '10.0.0.1')
      await store.inventory.refresh('10.0.0.1', report(row(1, 'Debian')))
      const before = [await store.scopes(), await store.inventory.partitions('10.0.0.1')]
      await fill()
      assert.ok(await isRefused(store.inventory.setSoftware('10.0.0.1', 1, 1, software('Debian', ...long))))
      assert.ok(await isRefused(store.inventory.refresh('10.0.0.1', report(...long.map((os, at) => row(at, os))))))
      const many = long.map((name, at) => computer(lab, `10.1.0.${at}`, { name }))
      assert.ok(await isRefused(store.computers.add(many)))
      const [stored] = await store.computers.list()
      assert.ok(await isRefused(store.computers.merge([{ id: stored?.id ?? 0, ip: '10.0.0.9' }, ...many])))
      const after = [await store.scopes(), await store.inventory.partitions('10.0.0.1')]
      assert.equal(after, before)
      assert.equal(await store.inventory.software('10.0.0.1', 1, 1), [])
      await free()
      const again = await reopen()
      assert.equal([await again.scopes(), await again.inventory.partitions('10.0.0.1')], before)
    },
  )

  rule(
    'outcomes that do not fit on the disk are refused and do not change the job',
    async (store, { fill, free, reopen }) => {
      const id = await store.jobs.add(job(), parts(300))
      await store.jobs.update([success(id, 0), success(id, 299)])
      const before = await allWork(store)
      await fill()
      const updates = upTo(300).map(index => success(id, index, long[index]))
      assert.ok(await isRefused(store.jobs.update(updates)))
      assert.ok(await isRefused(store.jobs.add(job(), parts(2000))))
      assert.equal(await allWork(store), before)
      await free()
      await store.jobs.update(updates)
      assert.is(await store.jobs.trim({ before: 0, keep: 1 }), 0)
      const again = await reopen()
      assert.equal((await again.jobs.parts(id, { after: 298, limit: 9 }))[0]?.output, long[299])
      assert.equal(await again.jobs.unfinished(), [])
    },
  )
}

function fullDiskAndModules(rule: Rule<FillableStore>): void {
  rule(
    'a document that does not fit on the disk is refused, and no event is stored without its write',
    async (store, { fill, free, reopen }) => {
      const value = JSON.stringify(long)
      const document = { pack: 'lab', collection: 'rules', key: 'a', value: '1' }
      store.storedEvents.record(['job-finished'])
      await store.documents.put(document)
      const id = await store.jobs.add(job(), parts(2))
      const before = [await store.documents.sizes(), await store.documents.find(document)]
      const end = upTo(2).map(index => success(id, index, value))
      await fill()
      assert.ok(await isRefused(store.documents.put({ ...document, value })))
      const writes = [store.jobs.update(end), store.storedEvents.read(0, 9)]
      assert.equal(await Promise.all(writes.map(isRefused)), [true, true])
      assert.equal([await store.documents.sizes(), await store.documents.find(document)], before)
      await free()
      assert.equal(await store.storedEvents.read(0, 9), [])
      await store.jobs.update(end)
      assert.is(await store.documents.put({ ...document, value }, { version: 1 }), 2)
      const again = await reopen()
      assert.equal(
        (await again.storedEvents.read(0, 9)).map(({ event }) => Reflect.get(event, 'job')),
        [id],
      )
      assert.is((await again.documents.find(document))?.value, value)
    },
  )
}

function fullDiskAndTokens(rule: Rule<FillableStore>): void {
  const hash = 'a long hash '.repeat(20_000)

  rule(
    'a token or user that does not fit on the disk is refused, and its name stays free',
    async (store, { fill, free, reopen }) => {
      const id = Number(await store.tokens.add(token('one')))
      const before = await store.tokens.list()
      await fill()
      assert.ok(await isRefused(store.tokens.add(token('two', { hash }))))
      assert.ok(await isRefused(store.users.add(user('two', { hash }))))
      assert.ok(await isRefused(store.tokens.update(id, { name: 'two', hash })))
      assert.equal([await store.tokens.list(), await store.users.list()], [before, []])
      await free()
      const again = await reopen()
      assert.equal([await again.tokens.list(), await again.users.list()], [before, []])
      assert.type(await again.tokens.add(token('two')), 'number')
      assert.type(await again.users.add(user('two')), 'number')
    },
  )
}

function fullDiskAndOutputs(rule: Rule<FillableStore>): void {
  rule(
    'outputs that do not fit, however often they are tried again, leave no bytes: small writes are still accepted',
    async (store, { fill, free, reopen }) => {
      const id = await store.jobs.add(job(), parts(300, { state: 'sent' }))
      await store.jobs.update([success(id, 0, 'kept '.repeat(100))])
      await fill(500_000)
      const updates = upTo(300).map(index => success(id, index, `${index} `.padEnd(8000, 'xyz')))
      for (const _ of [1, 2, 3]) assert.ok(await isRefused(store.jobs.update(updates)))
      const small = await store.jobs.add(job(), parts(1, { output: 'small '.repeat(100) }))
      assert.is((await store.jobs.parts(id, { limit: 1 }))[0]?.output, 'kept '.repeat(100))
      await free()
      await store.jobs.update(updates)
      const again = await reopen()
      const outputs = (await again.jobs.parts(id, { limit: 300 })).map(({ output }) => output)
      assert.equal(
        outputs,
        updates.map(({ output }) => output),
      )
      assert.is((await again.jobs.parts(small, { limit: 1 }))[0]?.output, 'small '.repeat(100))
    },
  )
}

function freedDisk(rule: Rule<FillableStore>): void {
  rule('writes succeed as soon as the disk has free space again', async (store, { fill, free, reopen }) => {
    const lab = await addLab(store, '10.0.0.1')
    const setSoftware = () => store.inventory.setSoftware('10.0.0.1', 1, 1, software('Debian', ...long))
    for (const _ of [1, 2]) {
      await fill()
      assert.ok(await isRefused(setSoftware()))
      await free()
      assert.is(await setSoftware(), true)
      await store.inventory.setSoftware('10.0.0.1', 1, 1, software('Debian'))
    }
    assert.equal(await store.computers.add([computer(lab, '10.0.0.2')]), [])
    await setSoftware()
    const again = await reopen()
    assert.equal(await again.inventory.software('10.0.0.1', 1, 1), long)
    assert.ok(await again.computers.find('10.0.0.2'))
  })

  rule(
    'of concurrent writes to a disk that fills up, acknowledged writes stay and refused writes leave nothing',
    async (store, opened) => {
      const center = await addCenter(store)
      const rooms = await Promise.all(Array.from({ length: 32 }, (_, at) => addRoom(store, center, `before ${at}`)))
      await opened.fill(2_000_000)
      const writes = rooms.map(async (room, at) => {
        const list = long.map((name, n) => computer(room, `10.${at}.0.${n}`, { name }))
        return isRefused(store.computers.add(list))
      })
      const outcomes = await Promise.all(writes)
      assert.ok(outcomes.includes(true) && outcomes.includes(false))
      await opened.free()
      await addRoom(store, center, 'after')
      for (const store of [opened.store, await opened.reopen()]) {
        for (const [at, isMissing] of outcomes.entries()) {
          assert.is((await store.computers.find(`10.${at}.0.1999`)) === undefined, isMissing)
          assert.is((await store.computers.find(`10.${at}.0.0`)) === undefined, isMissing)
        }
        assert.is((await store.scopes())[0]?.scope.at(-1)?.name, 'after')
      }
    },
  )
}

const sections = { fullDisk, fullDiskAndModules, fullDiskAndTokens, fullDiskAndOutputs, freedDisk }
suites<FillableStore>('lowdb on a quota', sections, openWithQuota).run()
if (mayMount) suites<FillableStore>('lowdb on a small disk', sections, openOnSmallDisk).run()
