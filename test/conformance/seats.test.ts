// The rules for the places of computers on the maps of their rooms.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addLab, computer } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

function seats(rule: Rule): void {
  rule('a computer has its place, and none without one: then the key is absent', async store => {
    const lab = await addLab(store, '10.0.0.1')
    await store.computers.add([computer(lab, '10.0.0.2', { place: { row: 2, column: 99 } })])
    assert.equal((await store.computers.find('10.0.0.2'))?.place, { row: 2, column: 99 })
    const keys = async (ip: string) => Object.keys((await store.computers.find(ip)) ?? {})
    assert.equal(
      [(await keys('10.0.0.1')).includes('place'), (await keys('10.0.0.2')).includes('place')],
      [false, true],
    )
    const listed = await store.computers.list()
    assert.equal(
      listed.map(each => ['place' in each, each.place]),
      [
        [false, undefined],
        [true, { row: 2, column: 99 }],
      ],
    )
  })

  rule('an update sets a place, keeps it without the key or with undefined, and removes it with null', async store => {
    await addLab(store, '10.0.0.1')
    const placeAfter = async (change: Parameters<typeof store.computers.update>[1]) => {
      assert.is(await store.computers.update(['10.0.0.1'], change), 'updated')
      return (await store.computers.find('10.0.0.1'))?.place
    }
    assert.equal(await placeAfter({ place: { row: 1, column: 2 } }), { row: 1, column: 2 })
    assert.equal(await placeAfter({ name: 'other' }), { row: 1, column: 2 })
    assert.equal(await placeAfter({ place: undefined }), { row: 1, column: 2 })
    assert.is(await placeAfter({ place: null }), undefined)
    assert.not.ok('place' in ((await store.computers.list())[0] ?? {}))
  })

  rule('a merge sets and removes places, all or none, and two computers may have the same one', async store => {
    await addLab(store, '10.0.0.1', '10.0.0.2')
    const [one = 0, two = 0] = (await store.computers.list()).map(({ id }) => id)
    const places = async () => (await store.computers.list()).map(({ place }) => place)
    const place = { row: 3, column: 4 }
    const rows = [
      { id: one, place },
      { id: two, place },
    ]
    assert.equal((await store.computers.merge(rows)).conflicts, [])
    assert.equal(await places(), [place, place])
    await store.computers.merge([
      { id: one, place: null },
      { id: 99, place },
    ])
    assert.equal(await places(), [place, place])
    await store.computers.merge([{ id: one, place: null }])
    assert.equal(await places(), [undefined, place])
  })

  rule('neither readers nor writers can change a place through objects that they hold', async store => {
    const lab = await addLab(store)
    const place = { row: 1, column: 1 }
    await store.computers.add([computer(lab, '10.0.0.1', { place })])
    place.row = 9
    const [listed] = await store.computers.list()
    if (listed?.place) listed.place.row = 9
    const found = await store.computers.find('10.0.0.1')
    assert.equal(found?.place, { row: 1, column: 1 })
    assert.ok(Object.isFrozen(found?.place))
  })
}

conformance({ seats })
