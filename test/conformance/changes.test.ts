// The rules for updates of existing records.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, createdImage, image, report, row } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

function changes(rule: Rule): void {
  rule('computers are listed by id, all of them or those of a room', async store => {
    const lab = await addLab(store, '10.0.0.2', '10.0.0.1')
    const other = await addRoom(store, await addCenter(store, 'another center'), 'another room')
    await store.computers.add([computer(other, '10.0.0.3')])
    const ips = async (room?: number) => (await store.computers.list(room)).map(({ ip }) => ip)
    assert.equal(await ips(), ['10.0.0.2', '10.0.0.1', '10.0.0.3'])
    assert.equal(await ips(lab), ['10.0.0.2', '10.0.0.1'])
    assert.equal(await ips(99), [])
  })

  rule('an update of several computers changes only its keys, and ignores unknown addresses', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
    assert.is(
      await store.computers.update(['10.0.0.1', '10.0.0.2', '10.9.9.9'], { boot: '11', livedir: undefined }),
      'updated',
    )
    const boots = (await store.computers.list(lab)).map(({ boot, livedir }) => ({ boot, livedir }))
    const { boot, livedir } = computer(lab, '')
    assert.equal(boots, [
      { boot: '11', livedir },
      { boot: '11', livedir },
      { boot, livedir },
    ])
  })

  rule('a refused update changes no computer', async store => {
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
}

function roomAndImageChanges(rule: Rule): void {
  rule('a room is updated, and its name stays unique within its center', async store => {
    const lab = await addLab(store)
    const room = await store.rooms.find(lab)
    if (!room) throw new Error('expected a room, got undefined')
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

  rule('what is not changed of a room stays as another host may just have written it', async store => {
    const id = await addLab(store)
    await store.rooms.update({ id, location: 'Building 3' })
    await store.rooms.update({ id, ntp: '10.0.0.9', tags: ['cad'] })
    const { location, ntp, tags } = (await store.rooms.find(id)) ?? {}
    assert.equal([location, ntp, tags], ['Building 3', '10.0.0.9', ['cad']])
    assert.is(await store.rooms.update({ id }), 'updated')
  })

  rule('no partition names a deleted image any more, and the name of the image is free again', async store => {
    await addLab(store, '10.0.0.1', '10.0.0.2')
    const [id, other] = [await store.images.add(image('first')), await store.images.add(image('second'))]
    if (id === undefined || other === undefined) throw new Error('expected two ids, got undefined')
    await store.images.recordCreate('10.0.0.1', createdImage(id, { os: 'Linux', programs: ['x'] }))
    await store.images.recordCreate('10.0.0.2', createdImage(other, { os: 'Linux', programs: ['x'] }))
    assert.is((await store.images.delete(id))?.name, 'first')
    assert.is(await store.images.delete(id), undefined)
    const named = async (ip: string) => (await store.inventory.partitions(ip)).map(row => row.image)
    assert.equal([await named('10.0.0.1'), await named('10.0.0.2')], [[0], [other]])
    assert.ok((await store.inventory.partitions('10.0.0.1'))[0]?.software)
    const again = await store.images.add(image('first'))
    assert.ok(again && again > other)
  })
}

conformance({ changes, roomAndImageChanges })
