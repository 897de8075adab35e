// The rules for documents of packs.
import * as assert from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import { entriesOf, toStream } from './fill.ts'
import type { Rule } from './rule.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

const at = (key: string, pack = 'lab', collection = 'rules') => ({ pack, collection, key })
const document = (key: string, value: unknown = key, pack = 'lab', collection = 'rules') => ({
  ...at(key, pack, collection),
  value: JSON.stringify(value),
})

async function keysOf(store: Store, page: { prefix?: string; after?: string; limit?: number } = {}): Promise<string[]> {
  const listed = await store.documents.list({ pack: 'lab', collection: 'rules' }, { limit: 100, ...page })
  return listed.map(({ key }) => key)
}

async function putAll(store: Store, keys: readonly string[]): Promise<void> {
  for (const key of keys) assert.is(await store.documents.put(document(key)), 1)
}

function versions(rule: Rule): void {
  rule('a document is found as it was put, with a version that grows with each change', async store => {
    assert.is(await store.documents.find(at('a')), undefined)
    const first = document('a', { text: 'ü\u0000\ud800 𝄞', list: [1, null, true] })
    assert.is(await store.documents.put(first), 1)
    assert.equal(await store.documents.find(at('a')), { ...first, version: 1 })
    const second = document('a', 'second')
    assert.is(await store.documents.put(second), 2)
    assert.equal(await store.documents.find(at('a')), { ...second, version: 2 })
  })

  rule('packs, collections and keys have documents of their own', async store => {
    const all = [document('a'), document('a', 2, 'lab', 'other'), document('a', 3, 'other'), document('a', 4, '', 'x')]
    for (const each of all) assert.is(await store.documents.put(each), 1)
    for (const each of all) assert.equal(await store.documents.find(each), { ...each, version: 1 })
    assert.is(await store.documents.delete(at('a')), true)
    assert.is(await store.documents.find(at('a')), undefined)
    for (const each of all.slice(1)) assert.equal(await store.documents.find(each), { ...each, version: 1 })
  })

  rule('a document of another version than expected is not put and not deleted', async store => {
    assert.is(await store.documents.put(document('a'), { version: 1 }), 'conflict')
    assert.is(await store.documents.put(document('a', 'first'), { version: 0 }), 1)
    assert.is(await store.documents.put(document('a', 'again'), { version: 0 }), 'conflict')
    assert.is(await store.documents.put(document('a', 'second'), { version: 1 }), 2)
    assert.is(await store.documents.put(document('a', 'late'), { version: 1 }), 'conflict')
    assert.is(await store.documents.delete(at('a'), 1), false)
    assert.is((await store.documents.find(at('a')))?.value, '"second"')
    assert.is(await store.documents.delete(at('a'), 2), true)
    assert.is(await store.documents.delete(at('a')), false)
  })

  rule('of writers that expect the same version one succeeds', async store => {
    await store.documents.put(document('a', 0))
    const writes = [1, 2, 3, 4, 5].map(value => store.documents.put(document('a', value), { version: 1 }))
    assert.equal((await Promise.all(writes)).sort(), [2, 'conflict', 'conflict', 'conflict', 'conflict'])
    const additions = [1, 2, 3].map(value => store.documents.put(document('b', value), { version: 0 }))
    assert.equal((await Promise.all(additions)).sort(), [1, 'conflict', 'conflict'])
  })
}

function lists(rule: Rule): void {
  rule('documents are listed in the order of the code points of their keys', async store => {
    const keys = ['b', 'a', 'B', 'aa', '', 'ä', '\uff5e', '𝄞', 'a b', 'z', '10', '9']
    await putAll(store, keys)
    const sorted = ['', '10', '9', 'B', 'a', 'a b', 'aa', 'b', 'z', 'ä', '\uff5e', '𝄞']
    assert.equal(await keysOf(store), sorted)
    await store.documents.delete(at('a'))
    await putAll(store, ['ab', 'a'])
    assert.equal((await keysOf(store)).slice(4, 8), ['a', 'a b', 'aa', 'ab'])
    await store.documents.put(document('aa', 'changed'))
    const [changed] = await store.documents.list(at(''), { prefix: 'aa', limit: 1 })
    assert.equal(changed, { ...document('aa', 'changed'), version: 2 })
  })

  rule('a list has the keys that begin with a prefix, those after a key, and at most so many', async store => {
    await putAll(store, ['room/1', 'room/2', 'room/10', 'rooms', 'room', 'a', 'z', 'room%', 'room_'])
    assert.equal(await keysOf(store, { prefix: 'room/' }), ['room/1', 'room/10', 'room/2'])
    assert.equal(await keysOf(store, { prefix: 'room/', after: 'room/1' }), ['room/10', 'room/2'])
    assert.equal(await keysOf(store, { prefix: 'room/', after: 'room/1', limit: 1 }), ['room/10'])
    assert.equal(await keysOf(store, { prefix: 'room/', after: 'a', limit: 1 }), ['room/1'])
    assert.equal(await keysOf(store, { prefix: 'room/', after: 'z' }), [])
    assert.equal(await keysOf(store, { prefix: 'room_' }), ['room_'])
    assert.equal(await keysOf(store, { after: 'rooms' }), ['z'])
    assert.equal(await keysOf(store, { limit: 0 }), [])
    assert.equal(await keysOf(store, { prefix: 'none' }), [])
    await putAll(store, ['ñ', 'ñu', 'ño', 'o', 'a\0', 'a\0b', 'a\u0001'])
    assert.equal(await keysOf(store, { prefix: 'ñ' }), ['ñ', 'ño', 'ñu'])
    assert.equal(await keysOf(store, { prefix: 'a\0' }), ['a\0', 'a\0b'])
  })
}

function sizes(rule: Rule): void {
  const bytes = ({ key, value }: { key: string; value: string }) => Buffer.byteLength(key) + Buffer.byteLength(value)

  rule('the bytes of the keys and values of each pack are known', async store => {
    assert.equal(await store.documents.sizes(), [])
    const [a, b, c] = [document('ä', '𝄞'), document('b', 'text', 'lab', 'x'), document('c', 1, 'Other')]
    for (const each of [a, b, c]) await store.documents.put(each)
    const other = { pack: 'Other', documents: 1, bytes: bytes(c) }
    assert.equal(await store.documents.sizes(), [other, { pack: 'lab', documents: 2, bytes: bytes(a) + bytes(b) }])
    const longer = document('ä', 'longer')
    await store.documents.put(longer)
    await store.documents.delete(b)
    assert.equal(await store.documents.sizes(), [other, { pack: 'lab', documents: 1, bytes: bytes(longer) }])
    await store.documents.delete(longer)
    assert.equal(await store.documents.sizes(), [other])
  })

  rule('a pack is full when a document would make it larger than its limit', async store => {
    const [a, b] = [document('a', 'x'.repeat(50)), document('b', 'x'.repeat(50))]
    const mostBytes = bytes(a) + bytes(b)
    assert.is(await store.documents.put(a, { mostBytes: bytes(a) - 1 }), 'full')
    assert.is(await store.documents.put(a, { mostBytes }), 1)
    assert.is(await store.documents.put(b, { mostBytes }), 1)
    assert.is(await store.documents.put(document('c'), { mostBytes }), 'full')
    assert.is(await store.documents.put(document('a', 'x'.repeat(51)), { mostBytes }), 'full')
    assert.is(await store.documents.put(document('a', 'x'.repeat(49)), { mostBytes: 10 }), 2)
    assert.is(await store.documents.put(document('c', '', 'other'), { mostBytes }), 1)
    assert.is((await store.documents.find(a))?.version, 2)
  })

  rule('concurrent writers cannot make a pack larger than its limit', async store => {
    const all = Array.from({ length: 8 }, (_, index) => document(`${index}`, 'x'.repeat(50)))
    const puts = await Promise.all(all.map(each => store.documents.put(each, { mostBytes: 4 * 53 })))
    assert.is(puts.filter(outcome => outcome === 1).length, 4)
    assert.equal(await store.documents.sizes(), [{ pack: 'lab', documents: 4, bytes: 4 * 53 }])
  })

  rule('purging a pack deletes its documents and no others', async store => {
    await putAll(store, ['a', 'b'])
    await store.documents.put(document('c', 1, 'lab', 'x'))
    await store.documents.put(document('a', 1, 'other'))
    assert.equal(await keysOf(store), ['a', 'b'])
    assert.is(await store.documents.purge('lab'), 3)
    assert.is(await store.documents.purge('lab'), 0)
    assert.equal(await keysOf(store), [])
    assert.equal(
      (await store.documents.sizes()).map(({ pack }) => pack),
      ['other'],
    )
    await putAll(store, ['b'])
    assert.equal(await keysOf(store), ['b'])
  })
}

function copies(rule: Rule): void {
  rule('a dump has the documents, and loading it replaces those that there are', async store => {
    await putAll(store, ['b', 'a'])
    await store.documents.put(document('a', 'second'))
    const entries = await entriesOf(store)
    const before = [await store.documents.list(at(''), { limit: 9 }), await store.documents.sizes()]
    await store.documents.purge('lab')
    await store.documents.put(document('c', 1, 'other'))
    await store.backup.load(toStream(entries))
    assert.equal([await store.documents.list(at(''), { limit: 9 }), await store.documents.sizes()], before)
    assert.is(await store.documents.put(document('a', 'third'), { version: 2 }), 3)
    assert.is(await store.documents.put(document('d')), 1)
  })

  rule('documents are as they were when the store is opened again', async (store, { reopen }) => {
    if (!reopen) return
    await putAll(store, ['b', 'a', 'c'])
    await store.documents.put(document('a', 'second'))
    await store.documents.delete(at('c'))
    const before = [await store.documents.list(at(''), { limit: 9 }), await store.documents.sizes()]
    const opened = await reopen()
    assert.equal([await opened.documents.list(at(''), { limit: 9 }), await opened.documents.sizes()], before)
  })
}

conformance({ documents: versions, documentLists: lists, documentSizes: sizes, documentCopies: copies })
