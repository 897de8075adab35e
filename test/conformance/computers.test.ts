// The rules for computers.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, report, row } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

function computers(rule: Rule): void {
  rule('a computer is found by its address, with its center', async store => {
    const center = await addCenter(store)
    const lab = await addRoom(store, center)
    const pc = computer(lab, '10.0.0.1', { name: 'pc', remote: true, maintenance: true })
    assert.equal(await store.computers.add([pc]), [])
    const stored = await store.computers.find('10.0.0.1')
    assert.type(stored?.id, 'number')
    assert.equal(stored, { id: stored?.id, center, ...pc })
    assert.is(await store.computers.find('10.0.0.2'), undefined)
  })

  rule('computers of several addresses are found as each one is, without unknown and repeated ones', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
    await store.computers.update(['10.0.0.2'], { place: { row: 1, column: 2 } })
    const found = await store.computers.findMany(['10.0.0.2', '10.9.9.9', '10.0.0.1', '10.0.0.2'])
    const one = await store.computers.find('10.0.0.1')
    const two = await store.computers.find('10.0.0.2')
    assert.equal(
      [...found].sort((a, b) => a.id - b.id),
      [one, two],
    )
    assert.ok(found.every(computer => Object.isFrozen(computer) && computer.room === lab && computer.center > 0))
    assert.ok(found.every(({ place }) => place === undefined || Object.isFrozen(place)))
    assert.equal(await store.computers.findMany([]), [])
    assert.equal(await store.computers.findMany(['10.9.9.9']), [])
  })

  rule('all computers of a list are stored or none, and every conflict is reported', async store => {
    const lab = await addLab(store, '10.0.0.1')
    const conflicts = await store.computers.add([
      computer(lab, '10.0.0.2'),
      computer(lab, '10.0.0.1'),
      computer(99, '10.0.0.3'),
      computer(lab, '10.0.0.4', { repo_id: 99 }),
      computer(lab, '10.0.0.2'),
      computer(0, '10.0.0.5', { repo_id: 0 }),
    ])
    assert.equal(conflicts, [
      { index: 1, reason: 'address taken' },
      { index: 2, reason: 'unknown room' },
      { index: 3, reason: 'unknown repository' },
      { index: 4, reason: 'address taken' },
      { index: 5, reason: 'unknown room' },
      { index: 5, reason: 'unknown repository' },
    ])
    assert.is(await store.computers.find('10.0.0.2'), undefined)
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 1)
  })

  rule('names of computers need not be unique', async store => {
    const lab = await addLab(store)
    const two = [computer(lab, '10.0.0.1', { name: 'pc' }), computer(lab, '10.0.0.2', { name: 'pc' })]
    assert.equal(await store.computers.add(two), [])
  })

  rule('a delete returns the deleted computers and ignores unknown and repeated addresses', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
    const deleted = await store.computers.delete(['10.0.0.3', '10.9.9.9', '10.0.0.1', '10.0.0.3'])
    assert.equal(
      deleted.map(({ ip, room }) => ({ ip, room })),
      [
        { ip: '10.0.0.3', room: lab },
        { ip: '10.0.0.1', room: lab },
      ],
    )
    assert.equal(await store.computers.delete(['10.0.0.3']), [])
    assert.ok(await store.computers.find('10.0.0.2'))
  })
}

function computerRecords(rule: Rule): void {
  rule('the address of a deleted computer is free again and starts without inventory', async store => {
    const lab = await addLab(store, '10.0.0.1')
    await store.inventory.refresh('10.0.0.1', report(row(1, 'Debian')))
    await store.inventory.setHardware('10.0.0.1', [{ type: 'disk', description: 'a' }])
    await store.computers.delete(['10.0.0.1'])
    assert.equal(await store.inventory.partitions('10.0.0.1'), [])
    assert.equal(await store.computers.add([computer(lab, '10.0.0.1')]), [])
    assert.equal(await store.inventory.partitions('10.0.0.1'), [])
    assert.equal(await store.inventory.hardware('10.0.0.1'), [])
  })

  rule('neither readers nor writers can change the store through objects that they hold', async store => {
    const lab = await addLab(store)
    const pc = computer(lab, '10.0.0.1', { name: 'pc' })
    await store.computers.add([pc])
    pc.name = 'changed'
    assert.ok(Object.isFrozen(await store.computers.find('10.0.0.1')))
    await store.inventory.setHardware('10.0.0.1', [{ type: 'cpu', description: 'one' }])
    const items = await store.inventory.hardware('10.0.0.1')
    assert.ok(Object.isFrozen(items) && Object.isFrozen(items[0]))
    const tree = await store.scopes()
    assert.ok(Object.isFrozen(tree) && Object.isFrozen(tree[0]?.scope[0]?.scope))
    assert.is((await store.computers.find('10.0.0.1'))?.name, 'pc')
    assert.is((await store.scopes())[0]?.scope[0]?.scope.length, 1)
    const disks = report(row(1))
    await store.inventory.refresh('10.0.0.1', disks)
    for (const partition of await store.inventory.partitions('10.0.0.1')) partition.size = 5
    for (const row of disks.rows) row.size = 6
    assert.is((await store.inventory.partitions('10.0.0.1'))[0]?.size, 1000)
  })

  rule('only the known keys of a computer are stored', async store => {
    const lab = await addLab(store)
    const pc = { ...computer(lab, '10.0.0.1'), id: 77, center: 88, other: 1 }
    await store.computers.add([pc])
    const stored = await store.computers.find('10.0.0.1')
    assert.is.not(stored?.id, 77)
    assert.is.not(stored?.center, 88)
    assert.not.ok(stored && 'other' in stored)
  })
}

conformance({ computers, computerRecords })
