// The rules for tokens and users.
import * as assert from 'uvu/assert'
import type { Entry, New, Store, Token, User } from '../../stores/store.ts'
import { entriesOf } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addRoom } from './samples.ts'
import { conformance } from './stores.ts'
import { token } from './token-samples.ts'

export const runs = { postgres: true }

type Collection = 'tokens' | 'users'

/** They have the same rules. */
const collections: Collection[] = ['tokens', 'users']

/** A user is a token without `expires`. */
function stored(collection: Collection, id: number, row: New<Token>): Token | User {
  const { expires, ...user } = row
  return collection === 'tokens' ? { id, ...user, expires } : { id, ...user }
}

async function addTo(store: Store, collection: Collection, row: New<Token>): Promise<number> {
  const id = await store[collection].add(row)
  if (typeof id !== 'number') throw new Error(id)
  return id
}

function tokensAndUsers(rule: Rule): void {
  for (const collection of collections) {
    rule(`${collection} are listed by id with all their values, also after opening again`, async (first, opened) => {
      const center = await addCenter(first)
      const limits = {
        centers: [center],
        rooms: [await addRoom(first, center, 'b'), await addRoom(first, center, 'a')],
      }
      const one = token('Ñandú', { ...limits, role: 'read', by: '', expires: Number.MAX_SAFE_INTEGER })
      const two = token('a', { disabled: true, created: 0, used: 5, expires: 0 })
      const ids = [await addTo(first, collection, one), await addTo(first, collection, two)]
      const store = opened.reopen ? await opened.reopen() : first
      const listed = [stored(collection, ids[0] ?? 0, one), stored(collection, ids[1] ?? 0, two)]
      assert.equal(await store[collection].list(), listed)
    })

    rule(`names of ${collection} are unique, and ids are never assigned twice`, async (first, opened) => {
      let store = first
      const one = await addTo(store, collection, token('one'))
      const two = await addTo(store, collection, token('two'))
      const before = await store[collection].list()
      assert.is(await store[collection].add(token('one')), 'name taken')
      assert.is(await store[collection].update(two, { name: 'one', role: 'admin' }), 'name taken')
      assert.equal(await store[collection].list(), before)
      assert.is(await store[collection].update(two, { name: 'two' }), 'updated')
      assert.equal(await store[collection].delete(one), before[0])
      assert.is((await store[collection].delete(two))?.name, 'two')
      assert.is(await store[collection].delete(two), undefined)
      if (opened.reopen) store = await opened.reopen()
      assert.ok((await addTo(store, collection, token('one'))) > two)
    })

    rule(`an update of one of the ${collection} changes only its keys`, async store => {
      const [row, other] = [token('one', { used: 7 }), token('two')]
      const id = await addTo(store, collection, row)
      const otherId = await addTo(store, collection, other)
      const change = { name: 'three', role: 'read', hash: 'other hash', disabled: true } as const
      assert.is(await store[collection].update(id, { ...change, by: undefined, rooms: undefined }), 'updated')
      assert.is(await store[collection].update(id, {}), 'updated')
      assert.is(await store[collection].update(otherId + 1, { name: 'four' }), 'unknown')
      assert.equal(await store[collection].list(), [
        stored(collection, id, { ...row, ...change }),
        stored(collection, otherId, other),
      ])
    })

    rule(
      `the last uses of several ${collection} are set in one step, those of unknown ids are ignored`,
      async store => {
        const rows = [token('one', { used: 1 }), token('two', { used: 2 }), token('three', { used: 3 })]
        const ids: number[] = []
        for (const row of rows) ids.push(await addTo(store, collection, row))
        const [one = 0, two = 0, three = 0] = ids
        await store[collection].setUsed([])
        await store[collection].setUsed([
          { id: three, used: 30 },
          { id: three + 1, used: 40 },
          { id: one, used: 10 },
        ])
        const uses = (await store[collection].list()).map(({ id, used }) => ({ id, used }))
        assert.equal(uses, [
          { id: one, used: 10 },
          { id: two, used: 2 },
          { id: three, used: 30 },
        ])
      },
    )

    rule(`of 32 concurrent adds of one name to the ${collection} exactly one succeeds`, async store => {
      const adds = Array.from({ length: 32 }, (_, at) => store[collection].add(token('x', { used: at })))
      const outcomes = await Promise.all(adds)
      assert.is(outcomes.filter(outcome => typeof outcome === 'number').length, 1)
      assert.is((await store[collection].list()).length, 1)
    })
  }

  rule('a token and a user may have the same name and id', async store => {
    const ids = [await addTo(store, 'tokens', token('anna')), await addTo(store, 'users', token('anna'))]
    assert.is(ids[0], ids[1])
    await store.tokens.delete(ids[0] ?? 0)
    assert.is((await store.users.list()).length, 1)
  })
}

function limitsOfTokensAndUsers(rule: Rule): void {
  for (const collection of collections) {
    rule(`${collection} with an unknown center or room are refused, and nothing changes`, async store => {
      const center = await addCenter(store)
      const room = await addRoom(store, center)
      const id = await addTo(store, collection, token('one', { centers: [center] }))
      const before = await store[collection].list()
      const cases = [
        { limits: { centers: [center, 99] }, reason: 'unknown center' },
        { limits: { centers: [0] }, reason: 'unknown center' },
        { limits: { centers: [center], rooms: [room, 99] }, reason: 'unknown room' },
      ]
      for (const { limits, reason } of cases) {
        assert.is(await store[collection].add(token('two', limits)), reason)
        assert.is(await store[collection].update(id, { ...limits, name: 'two' }), reason)
      }
      assert.equal(await store[collection].list(), before)
    })

    rule(`a deleted center or room stays in the lists of the ${collection}`, async (first, opened) => {
      const [north, south] = [await addCenter(first, 'north'), await addCenter(first, 'south')]
      const [lab, aula] = [await addRoom(first, north, 'lab'), await addRoom(first, south, 'aula')]
      const row = token('one', { centers: [north], rooms: [aula] })
      const id = await addTo(first, collection, row)
      await addTo(first, collection, token('two', { rooms: [lab] }))
      await first.centers.delete(north)
      await first.rooms.delete(aula)
      const store = opened.reopen ? await opened.reopen() : first
      const limits = (await store[collection].list()).map(({ centers, rooms }) => ({ centers, rooms }))
      assert.equal(limits, [
        { centers: [north], rooms: [aula] },
        { centers: [], rooms: [lab] },
      ])
      // As a caller does that reads all lists, adds a room and writes them back.
      const another = await addRoom(store, south, 'another')
      assert.ok(another > aula)
      assert.is(await store[collection].update(id, { centers: [north], rooms: [aula, another] }), 'updated')
      assert.is(await store[collection].update(id, { rooms: [lab] }), 'unknown room')
      assert.is(await store[collection].add(token('three', { centers: [north] })), 'unknown center')
      assert.equal((await store[collection].list())[0], stored(collection, id, { ...row, rooms: [aula, another] }))
    })
  }
}

function secretsOfTokensAndUsers(rule: Rule): void {
  const secret = 'fh_1_secret'
  const secrets = { token: secret, password: secret, secret }

  for (const collection of collections) {
    rule(`only the known keys of ${collection} are stored: no secret that a caller's object has`, async store => {
      const id = await addTo(store, collection, { ...token('one'), ...secrets })
      await store[collection].update(id, { role: 'read', ...secrets })
      async function* dump(): AsyncGenerator<Entry> {
        for await (const [name, row] of store.backup.dump()) {
          const hasSecrets = name === collection && typeof row !== 'number'
          yield [name, hasSecrets ? { ...row, ...secrets } : row]
        }
      }
      assert.equal(await store[collection].list(), [stored(collection, id, token('one', { role: 'read' }))])
      await store.backup.load(dump())
      const entries = await entriesOf(store)
      assert.ok(entries.some(([name]) => name === collection))
      assert.not.match(JSON.stringify(entries), secret)
    })

    rule(`a caller cannot change ${collection} through the objects that it passed or read`, async store => {
      const center = await addCenter(store)
      const row = token('one', { centers: [center] })
      const id = await addTo(store, collection, row)
      row.centers.pop()
      const change = { rooms: [await addRoom(store, center)] }
      await store[collection].update(id, change)
      change.rooms.pop()
      const [read] = await store[collection].list()
      read?.centers.pop()
      const [again] = await store[collection].list()
      assert.equal([again?.centers.length, again?.rooms.length], [1, 1])
    })
  }
}

conformance({ tokensAndUsers, limitsOfTokensAndUsers, secretsOfTokensAndUsers })
