// The rules for changes that cannot be taken back, and for imports that are.
import * as assert from 'uvu/assert'
import type { Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, image, report, room, row } from './samples.ts'
import { conformance } from './stores.ts'
import { addNightly, addUsedLab, keep, later, note, once, restore, step, whyNot } from './undo-samples.ts'

export const runs = { postgres: true }

function refusals(rule: Rule): void {
  rule('what has not been done cannot be taken back, and nothing twice', async store => {
    const lab = await addLab(store, '10.0.0.1')
    assert.is(await store.undo.apply(7, later), undefined)
    assert.equal(await store.undo.keep(note, bound => bound.rooms.delete(99)), { result: undefined })
    const { id } = await keep(store, bound => bound.rooms.delete(lab))
    await restore(store, id)
    assert.is(await store.undo.apply(id, later), undefined)
  })

  rule('what may not be changed or deleted is refused as without undo, and nothing is kept', async store => {
    const lab = await addLab(store, '10.0.0.1')
    await store.centers.add({ name: 'taken', comment: '' })
    await addRoom(store, 1, 'taken')
    const repository = Number(await store.repositories.add({ name: 'disk 2', ip: '10.9.9.9' }))
    await store.computers.update(['10.0.0.1'], { repo_id: repository })
    const group = Number(await store.groups.add({ name: 'one', clients: ['10.0.0.1'] }))
    await store.groups.add({ name: 'taken', clients: ['10.0.0.1'] })
    const refused = [
      await keep(store, bound => bound.centers.update({ id: 1, name: 'taken' })),
      await keep(store, bound => bound.rooms.update({ ...room(1, 'taken'), id: lab })),
      await keep(store, bound => bound.rooms.update({ ...room(99, 'moved'), id: lab })),
      await keep(store, bound => bound.groups.update({ id: group, name: 'taken', clients: [] })),
      await keep(store, bound => bound.repositories.delete(repository)),
      await keep(store, bound => bound.repositories.delete(1)),
    ]
    const results = ['name taken', 'name taken', 'unknown center', 'name taken', 'in use', 'in use']
    assert.equal(
      refused,
      results.map(result => ({ result, id: 0 })),
    )
  })

  rule('a computer whose address another one has is refused, and nothing is back', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const { id: one } = await keep(store, bound => bound.computers.delete(['10.0.0.1']))
    await store.computers.add([computer(lab, '10.0.0.1', { name: 'new' })])
    assert.is(
      await whyNot(store, one),
      'undo-address-of: computer pc-10.0.0.1: 10.0.0.1 is the address of new in room lab now',
    )
    const hasClient = () => false
    assert.is(await whyNot(store, one, { hasClient }), 'undo-address-taken: computer pc-10.0.0.1: address taken')
    assert.equal(
      (await store.undo.list()).map(({ id }) => id),
      [one],
    )
    assert.is((await store.rooms.list()).length, 1)
  })

  rule('an image whose name another one has is refused: its file has this name', async store => {
    const { image: id } = await addUsedLab(store)
    const { id: undo } = await keep(store, bound => bound.images.delete(id))
    await store.images.add(image('base'))
    assert.is(await whyNot(store, undo), 'undo-name-taken: image base: another one has this name now')
  })

  rule('records whose names are taken come back under free ones, together', async store => {
    const lab = await addLab(store, '10.0.0.2')
    const { id: undo } = await keep(store, bound => bound.rooms.delete(lab))
    await addRoom(store, 1)
    await addRoom(store, 1, 'lab (2)')
    const { restored, renamed } = await restore(store, undo)
    assert.equal(renamed, [{ kind: 'room', from: 'lab', to: 'lab (3)' }])
    assert.is((await store.rooms.find(lab))?.name, 'lab (3)')
    assert.equal([restored.length, (await store.computers.find('10.0.0.2'))?.room], [2, lab])
    const { schedule, plan } = await addNightly(store)
    const { id: second } = await keep(store, bound => bound.schedules.delete(schedule))
    await store.procedures.add({ center: 1, name: 'Maint', description: '', steps: [step] })
    await store.tasks.add({ center: 1, name: 'Maint (2)', description: '', steps: [step] })
    await restore(store, second)
    const [task, procedure] = [await store.tasks.find(plan.task), await store.procedures.find(plan.procedure)]
    const [{ name, task: target } = {}] = await store.schedules.list()
    assert.equal([task?.name, procedure?.name, name, target], [...Array(3).fill('Maint (3)'), plan.task])
  })

  rule('what its records name must be there again first, apart from images', async store => {
    const { lab, image: id } = await addUsedLab(store)
    const { id: undo } = await keep(store, bound => bound.computers.delete(['10.0.0.1']))
    const { id: second } = await keep(store, bound => bound.rooms.delete(lab))
    assert.is(await whyNot(store, undo), `undo-parent-gone: computer pc-10.0.0.1: there is no room ${lab} any more`)
    await restore(store, second)
    await store.images.delete(id)
    await restore(store, undo)
    const [, partition] = await store.inventory.partitions('10.0.0.1')
    assert.equal([partition?.image, partition?.image_version, partition?.image_since], [0, undefined, undefined])
  })

  rule('a schedule whose task is deleted must wait for it', async store => {
    const center = await addCenter(store, 'north')
    const list = { center, name: 'first', description: '', steps: [step] }
    const task = Number(await store.tasks.add(list))
    const schedule = await store.schedules.add({ ...once, type: 'task', task, name: 'Evening' })
    const { id } = await keep(store, bound => bound.schedules.delete(schedule))
    const { id: second } = await keep(store, bound => bound.tasks.delete(task))
    assert.is(await whyNot(store, id), `undo-parent-gone: schedule Evening: there is no task ${task} any more`)
    await restore(store, second)
    await restore(store, id)
    assert.equal(
      (await store.schedules.list()).map(({ task }) => task),
      [task],
    )
  })

  rule('steps that would lead back to themselves are refused', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    const base = { description: '', steps: [step] }
    const other = Number(await store.tasks.add({ ...base, center: south, name: 'other' }))
    const first = Number(await store.tasks.add({ ...base, center: north, name: 'first', steps: [{ task: other }] }))
    const third = Number(await store.tasks.add({ ...base, center: south, name: 'third', steps: [{ task: first }] }))
    const { id } = await keep(store, bound => bound.centers.delete(north))
    await store.tasks.update({ ...base, id: other, center: south, name: 'other', steps: [{ task: third }] })
    assert.is(await whyNot(store, id), 'undo-loop: task first: its steps lead back to it now')
  })
}

function imports(rule: Rule): void {
  const addresses = async (store: Store) => (await store.computers.list()).map(({ ip, name }) => [ip, name])

  rule('an import is taken back as one: what it added is deleted, what it changed is as before', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    await store.computers.update(['10.0.0.1'], { place: { row: 1, column: 1 } })
    const before = await store.computers.list()
    const [one = 0, two = 0] = before.map(({ id }) => id)
    const rows = [
      { id: one, ip: '10.0.0.2', place: null },
      { id: two, ip: '10.0.0.1', tags: ['new'] },
      computer(lab, '10.0.0.3'),
    ]
    const { id } = await keep(store, bound => bound.computers.merge(rows))
    const counts = { added: 1, changed: 2 }
    const [{ changes, ...item } = {}] = await store.undo.list()
    assert.equal(item, { ...note, id, kind: 'import', record: 0, name: 'pc-10.0.0.3', counts })
    assert.equal(
      changes?.map(({ name, field, after }) => [name, field, after]),
      [
        ['pc-10.0.0.1', 'ip', '10.0.0.2'],
        ['pc-10.0.0.1', 'place', null],
        ['pc-10.0.0.2', 'ip', '10.0.0.1'],
        ['pc-10.0.0.2', 'tags', ['new']],
      ],
    )
    await store.computers.update(['10.0.0.1'], { serial_number: 'reported' })
    await store.inventory.refresh('10.0.0.3', report(row(1, 'Linux')))
    const { result } = await keep(store, bound => bound.undo.apply(id, later))
    assert.ok(result && 'item' in result)
    assert.equal(await store.computers.list(), [before[0], { ...before[1], serial_number: 'reported' }])
  })

  rule('what was deleted to take an import back can be had again', async store => {
    const lab = await addLab(store, '10.0.0.1')
    const { id } = await keep(store, bound => bound.computers.merge([computer(lab, '10.0.0.2')]))
    await store.inventory.refresh('10.0.0.2', report(row(1, 'Linux')))
    const { id: undo } = await keep(store, bound => bound.undo.apply(id, later))
    assert.is(await store.computers.find('10.0.0.2'), undefined)
    await restore(store, undo)
    const [session] = await store.inventory.sessions('10.0.0.2')
    assert.is(session?.name, 'Linux')
  })

  rule('an import is not taken back when a former address is that of another computer', async store => {
    await addLab(store, '10.0.0.1')
    const [{ id: one, room: lab } = { id: 0, room: 0 }] = await store.computers.list()
    const { id } = await keep(store, bound => bound.computers.merge([{ id: one, ip: '10.0.0.9' }]))
    await store.computers.add([computer(lab, '10.0.0.1', { name: 'other' })])
    assert.is(
      await whyNot(store, id),
      'undo-address-of: computer pc-10.0.0.1: 10.0.0.1 is the address of other in room lab now',
    )
    const hasClient = () => false
    assert.is(await whyNot(store, id, { hasClient }), 'undo-address-taken: computer pc-10.0.0.1: address taken')
    await store.computers.delete(['10.0.0.9'])
    assert.is(await whyNot(store, id), 'undo-deleted: what was edited is deleted: take its deletion back before')
    assert.equal(await addresses(store), [['10.0.0.1', 'other']])
  })
}

conformance({ undoThatIsRefused: refusals, undoOfImports: imports })
