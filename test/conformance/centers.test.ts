// The rules for centers, rooms, repositories and the tree of scopes.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, image, room } from './samples.ts'
import { conformance } from './stores.ts'

export const runs = { postgres: true }

function scopes(rule: Rule): void {
  rule('a new store has no scopes', async store => {
    assert.equal(await store.scopes(), [])
  })

  rule('scopes contain centers, rooms and computers, each level sorted by id', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'a south')]
    const [upper, lower] = [await addRoom(store, south, 'upper'), await addRoom(store, south, 'lower')]
    await store.computers.add([computer(upper, '10.0.0.9', { name: 'z' }), computer(upper, '10.0.0.1', { name: 'a' })])
    const [z, a] = [await store.computers.find('10.0.0.9'), await store.computers.find('10.0.0.1')]
    assert.equal(await store.scopes(), [
      { name: 'north', type: 'center', id: north, scope: [] },
      {
        name: 'a south',
        type: 'center',
        id: south,
        scope: [
          {
            name: 'upper',
            type: 'room',
            id: upper,
            scope: [
              { name: 'z', type: 'computer', id: z?.id, scope: [], ip: '10.0.0.9' },
              { name: 'a', type: 'computer', id: a?.id, scope: [], ip: '10.0.0.1' },
            ],
          },
          { name: 'lower', type: 'room', id: lower, scope: [] },
        ],
      },
    ])
  })

  rule('scopes contain every change, also after they were read before', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const names = async () => (await store.scopes())[0]?.scope[0]?.scope.map(node => node.name)
    assert.equal(await names(), ['pc-10.0.0.1', 'pc-10.0.0.2'])
    await store.computers.delete(['10.0.0.1'])
    assert.equal(await names(), ['pc-10.0.0.2'])
    await store.computers.add([computer(lab, '10.0.0.3')])
    assert.equal(await names(), ['pc-10.0.0.2', 'pc-10.0.0.3'])
    await store.rooms.delete(lab)
    assert.equal(await names(), undefined)
  })
}

function centers(rule: Rule): void {
  rule('names of centers are unique', async store => {
    const id = await addCenter(store, 'campus')
    assert.is(await store.centers.add({ name: 'campus', comment: 'other' }), undefined)
    assert.equal(await store.scopes(), [{ name: 'campus', type: 'center', id, scope: [] }])
    assert.type(await store.centers.add({ name: 'Campus', comment: '' }), 'number')
  })

  rule('deleting a center deletes its rooms and their computers, and returns the computers', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const center = (await store.rooms.find(lab))?.center ?? 0
    const other = await addRoom(store, await addCenter(store, 'other'))
    await store.computers.add([computer(other, '10.0.1.1')])
    const deleted = await store.centers.delete(center)
    assert.equal(
      deleted?.map(({ ip }) => ip),
      ['10.0.0.1', '10.0.0.2'],
    )
    assert.is(await store.rooms.find(lab), undefined)
    assert.is(await store.computers.find('10.0.0.1'), undefined)
    assert.ok(await store.computers.find('10.0.1.1'))
  })

  rule('deleting an unknown center or room returns undefined', async store => {
    assert.is(await store.centers.delete(7), undefined)
    assert.is(await store.rooms.delete(7), undefined)
  })

  rule('a center is updated by key, and its name stays unique', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    assert.is(await store.centers.update({ id: north, name: 'south' }), 'name taken')
    assert.is(await store.centers.update({ id: 99, name: 'east' }), 'unknown')
    assert.is(await store.centers.update({ id: north, comment: 'cold' }), 'updated')
    assert.is(await store.centers.update({ id: north, name: 'upper' }), 'updated')
    assert.is(await store.centers.update({ id: north, name: 'upper' }), 'updated')
    assert.equal(await store.scopes(), [
      { name: 'upper', type: 'center', id: north, scope: [] },
      { name: 'south', type: 'center', id: south, scope: [] },
    ])
    const rows: unknown[] = []
    for await (const [name, row] of store.backup.dump()) {
      if (name === 'centers' && typeof row !== 'number' && row.id === north) rows.push(row)
    }
    assert.equal(rows, [{ id: north, name: 'upper', comment: 'cold' }])
    await addCenter(store, 'north')
  })

  rule('the name of a deleted center is free again', async store => {
    await store.centers.delete(await addCenter(store, 'campus'))
    await addCenter(store, 'campus')
  })
}

function rooms(rule: Rule): void {
  rule('a room is found with all its values', async store => {
    const added = room(await addCenter(store), 'aula 1')
    const id = await store.rooms.add(added)
    assert.equal(await store.rooms.find(Number(id)), { id, ...added })
    assert.is(await store.rooms.find(Number(id) + 1), undefined)
  })

  rule('the rooms of all centers are listed by id, and readers cannot change them', async store => {
    assert.equal(await store.rooms.list(), [])
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    const added = [room(south, 'z'), room(north, 'a'), room(south, 'b')]
    const ids: number[] = []
    for (const each of added) ids.push(Number(await store.rooms.add(each)))
    const listed = added.map((each, at) => ({ id: ids[at], ...each }))
    const rooms = await store.rooms.list()
    assert.equal(rooms, listed)
    for (const each of rooms) each.name = 'changed'
    assert.equal(await store.rooms.list(), listed)
    await store.rooms.delete(ids[1] ?? 0)
    assert.equal(await store.rooms.list(), [listed[0], listed[2]])
  })

  rule('names of rooms are unique within a center', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    await addRoom(store, north, 'lab')
    assert.is(await store.rooms.add(room(north, 'lab')), 'name taken')
    await addRoom(store, south, 'lab')
  })

  rule('a room cannot be added to an unknown center', async store => {
    assert.is(await store.rooms.add(room(9, 'lab')), 'unknown center')
    assert.is(await store.rooms.add(room(0, 'lab')), 'unknown center')
  })

  rule('deleting a room deletes its computers and returns them', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const deleted = await store.rooms.delete(lab)
    assert.equal(
      deleted?.map(({ ip, room }) => ({ ip, room })),
      [
        { ip: '10.0.0.1', room: lab },
        { ip: '10.0.0.2', room: lab },
      ],
    )
    assert.is(await store.computers.find('10.0.0.2'), undefined)
    assert.equal((await store.scopes())[0]?.scope, [])
  })
}

function repositories(rule: Rule): void {
  rule('repository 1 exists in a new store', async store => {
    assert.equal(await store.repositories.list(), [{ id: 1, name: 'default', ip: '' }])
  })

  rule('repositories are listed by id, and their names are unique', async store => {
    assert.is(await store.repositories.add({ name: 'z', ip: '10.0.0.5' }), 2)
    assert.is(await store.repositories.add({ name: 'a', ip: '10.0.0.5' }), 3)
    assert.is(await store.repositories.add({ name: 'default', ip: '10.0.0.6' }), undefined)
    assert.equal(
      (await store.repositories.list()).map(({ name }) => name),
      ['default', 'z', 'a'],
    )
  })

  rule('a repository is updated by key, its name stays unique, and slots of 0 are none', async store => {
    const id = (await store.repositories.add({ name: 'second', ip: '10.0.0.5', slots: 4 })) ?? 0
    const stored = async () => (await store.repositories.list()).find(each => each.id === id)
    assert.equal(await stored(), { id, name: 'second', ip: '10.0.0.5', slots: 4 })
    assert.is(await store.repositories.update({ id, name: 'default' }), 'name taken')
    assert.is(await store.repositories.update({ id: 99, name: 'third' }), 'unknown')
    assert.is(await store.repositories.update({ id, ip: '10.0.0.6' }), 'updated')
    assert.equal(await stored(), { id, name: 'second', ip: '10.0.0.6', slots: 4 })
    assert.is(await store.repositories.update({ id, name: 'renamed', slots: 0 }), 'updated')
    assert.equal(await stored(), { id, name: 'renamed', ip: '10.0.0.6' })
    assert.is(await store.repositories.update({ id: 1, slots: 2 }), 'updated')
    assert.equal((await store.repositories.list())[0], { id: 1, name: 'default', ip: '', slots: 2 })
    assert.is(await store.repositories.add({ name: 'second', ip: '10.0.0.7' }), id + 1)
  })

  rule('repository 1, and a repository that a computer or an image names, cannot be deleted', async store => {
    const lab = await addLab(store)
    const [one, two, free] = [
      (await store.repositories.add({ name: 'one', ip: '10.0.0.5' })) ?? 0,
      (await store.repositories.add({ name: 'two', ip: '10.0.0.6' })) ?? 0,
      (await store.repositories.add({ name: 'free', ip: '10.0.0.7' })) ?? 0,
    ]
    await store.computers.add([computer(lab, '10.0.0.1', { repo_id: one })])
    await store.images.add(image('linux', { repo_id: two }))
    assert.is(await store.repositories.delete(1), 'in use')
    assert.is(await store.repositories.delete(one), 'in use')
    assert.is(await store.repositories.delete(two), 'in use')
    assert.is(await store.repositories.delete(free), 'deleted')
    assert.is(await store.repositories.delete(free), 'unknown')
    await store.computers.delete(['10.0.0.1'])
    assert.is(await store.repositories.delete(one), 'deleted')
  })
}

conformance({ scopes, centers, rooms, repositories })
