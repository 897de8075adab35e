// The rules for records that are changed after they were added.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, image, made, report, row } from './samples.ts'

export function changes(rule: Rule): void {
  rule('computers are listed in the order of their ids, all or those of a room', async store => {
    const lab = await addLab(store, '10.0.0.2', '10.0.0.1')
    const other = await addRoom(store, await addCenter(store, 'another center'), 'another room')
    await store.computers.add([computer(other, '10.0.0.3')])
    const ips = async (room?: number) => (await store.computers.list(room)).map(({ ip }) => ip)
    assert.equal(await ips(), ['10.0.0.2', '10.0.0.1', '10.0.0.3'])
    assert.equal(await ips(lab), ['10.0.0.2', '10.0.0.1'])
    assert.equal(await ips(99), [])
  })

  rule(
    'a change of several computers leaves the rest of them as it was, unknown addresses are passed over',
    async store => {
      const lab = await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
      assert.is(
        await store.computers.update(['10.0.0.1', '10.0.0.2', '10.9.9.9'], { boot: '11', livedir: undefined }),
        'updated',
      )
      const boots = (await store.computers.list(lab)).map(({ boot, livedir }) => [boot, livedir])
      const before = computer(lab, '')
      assert.equal(boots, [
        ['11', before.livedir],
        ['11', before.livedir],
        [before.boot, before.livedir],
      ])
    },
  )

  rule('a change that breaks a rule changes none', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const before = await store.computers.list(lab)
    assert.is(await store.computers.update(['10.0.0.1'], { ip: '10.0.0.2' }), 'address taken')
    assert.is(await store.computers.update(['10.0.0.1', '10.0.0.2'], { ip: '10.0.0.9' }), 'address taken')
    assert.is(await store.computers.update(['10.0.0.1'], { name: 'x', room: 99 }), 'unknown room')
    assert.is(await store.computers.update(['10.0.0.1'], { name: 'x', repo_id: 99 }), 'unknown repository')
    assert.equal(await store.computers.list(lab), before)
  })

  rule('a computer keeps its inventory under a new address and in a new room', async store => {
    const lab = await addLab(store, '10.0.0.1')
    await store.inventory.refresh('10.0.0.1', report(row(1)))
    const other = await addRoom(store, await addCenter(store, 'another center'), 'another room')
    assert.is(await store.computers.update(['10.0.0.1'], { ip: '10.0.0.7', room: other }), 'updated')
    assert.is(await store.computers.update(['10.0.0.7'], { ip: '10.0.0.7' }), 'updated')
    assert.is(await store.computers.find('10.0.0.1'), undefined)
    assert.is((await store.inventory.partitions('10.0.0.7')).length, 1)
    assert.equal(await store.computers.list(lab), [])
    const [, second] = await store.scopes()
    assert.is(second?.scope[0]?.scope.length, 1)
  })

  rule('a room is changed as a whole; its name is unique in its center', async store => {
    const lab = await addLab(store)
    const room = await store.rooms.find(lab)
    if (!room) throw new Error('the room is not there')
    await addRoom(store, room.center, 'another room')
    const changed = { ...room, name: 'renamed', gateway: '10.0.0.254' }
    assert.is(await store.rooms.update(changed), 'updated')
    assert.equal(await store.rooms.find(lab), changed)
    assert.is(await store.rooms.update({ ...changed, name: 'another room' }), 'name taken')
    assert.is(await store.rooms.update({ ...changed, center: 99 }), 'unknown center')
    assert.is(await store.rooms.update({ ...changed, id: 99 }), 'unknown')
    assert.equal(await store.rooms.find(lab), changed)
    assert.is((await store.scopes())[0]?.scope[0]?.name, 'renamed')
  })

  rule('an image that is deleted is named by no partition any more, its name is free', async store => {
    await addLab(store, '10.0.0.1', '10.0.0.2')
    const [id, kept] = [await store.images.add(image('first')), await store.images.add(image('second'))]
    if (id === undefined || kept === undefined) throw new Error('the images were not added')
    await store.images.recordCreate('10.0.0.1', made(id, { os: 'Linux', programs: ['x'] }))
    await store.images.recordCreate('10.0.0.2', made(kept, { os: 'Linux', programs: ['x'] }))
    assert.is((await store.images.delete(id))?.name, 'first')
    assert.is(await store.images.delete(id), undefined)
    const named = async (ip: string) => (await store.inventory.partitions(ip)).map(row => row.image)
    assert.equal([await named('10.0.0.1'), await named('10.0.0.2')], [[0], [kept]])
    assert.ok((await store.inventory.partitions('10.0.0.1'))[0]?.software)
    const again = await store.images.add(image('first'))
    assert.ok(again && again > kept)
  })
}
