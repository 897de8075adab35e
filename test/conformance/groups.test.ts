// The rules for groups of computers.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addLab } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

function groups(rule: Rule): void {
  const exam = { name: 'exam', where: 'tag:exam or room:"Lab 1"' }
  const left = { name: 'left', clients: ['10.0.0.1', '10.0.0.9'] }

  rule('groups have a query or a list, and are listed by id', async store => {
    assert.equal(await store.groups.list(), [])
    const ids = [await store.groups.add(exam), await store.groups.add(left)]
    const listed = [exam, left].map((each, at) => ({ id: ids[at], ...each }))
    const groups = await store.groups.list()
    assert.equal(groups, listed)
    groups[1]?.clients?.push('10.0.0.2')
    assert.equal(await store.groups.list(), listed)
  })

  rule('names of groups are unique', async store => {
    const id = Number(await store.groups.add(exam))
    const other = Number(await store.groups.add(left))
    assert.is(await store.groups.add({ ...left, name: 'exam' }), undefined)
    assert.is(await store.groups.update({ ...left, id: other, name: 'exam' }), 'name taken')
    assert.is(await store.groups.update({ ...left, id: 99 }), 'unknown')
    assert.is(await store.groups.update({ ...exam, id }), 'updated')
  })

  rule('a changed group has no value of before', async store => {
    const id = Number(await store.groups.add(exam))
    await store.groups.update({ id, name: 'all', clients: [] })
    assert.equal(await store.groups.list(), [{ id, name: 'all', clients: [] }])
  })

  rule('a group is deleted whoever names it, and its id is not assigned again', async store => {
    const id = Number(await store.groups.add(exam))
    assert.equal(await store.groups.delete(id), { id, ...exam })
    assert.is(await store.groups.delete(id), undefined)
    assert.ok(Number(await store.groups.add(exam)) > id)
  })

  rule('the tree of scopes is another object after a change of what rights depend on', async store => {
    const lab = await addLab(store, '10.0.0.1')
    let tree = await store.scopes()
    const isOther = async (change: Promise<unknown>) => {
      await change
      const before = tree
      tree = await store.scopes()
      return tree !== before
    }
    const id = 1
    assert.is(await isOther(store.groups.add(exam)), true)
    assert.is(await isOther(store.groups.update({ id, ...left })), true)
    assert.is(await isOther(store.groups.delete(id)), true)
    assert.is(await isOther(store.computers.update(['10.0.0.1'], { tags: ['cad'] })), true)
    const before = await store.rooms.find(lab)
    assert.is(before && (await isOther(store.rooms.update({ ...before, tags: ['exam'] }))), true)
    assert.is(await isOther(store.computers.update(['10.0.0.1'], { boot: 'disk' })), false)
  })
}

conformance({ groups })
