// The rules for deletions that are taken back, with everything that hung on them.
import * as assert from 'uvu/assert'
import type { KeptStore, Store } from '../../stores/store.ts'
import { everything } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, createdImage, image, room, software } from './samples.ts'
import { conformance } from './stores.ts'
import { token, user } from './token-samples.ts'
import { addUsedLab, keep, later, note, once, restore, step } from './undo-samples.ts'

export const runs = { postgres: true }

/** Deletes something, and compares what is there after it was taken back with what was there before. */
async function deleteAndRestore(store: Store, call: (store: KeptStore) => Promise<unknown>) {
  const before = await everything(store)
  const { id } = await keep(store, call)
  assert.not.equal(await everything(store), before)
  const item = (await store.undo.list()).find(each => each.id === id)
  const { restored } = await restore(store, id)
  assert.equal(await everything(store), before)
  assert.equal(await store.undo.list(), [])
  const { kind, name, counts } = item ?? {}
  return { kind, name, counts, restored }
}

function deletions(rule: Rule): void {
  rule('a deleted computer comes back with its disks, devices, programs and image', async store => {
    await addUsedLab(store)
    const { counts, kind, name } = await deleteAndRestore(store, bound => bound.computers.delete(['10.0.0.1']))
    assert.equal([kind, name, counts], ['computer', 'pc-10.0.0.1', { computers: 1 }])
    assert.equal(await store.inventory.software('10.0.0.1', 1, 2), ['only here'])
  })

  rule('a deleted room comes back with its computers, also as the last ones that had a list', async store => {
    const { lab } = await addUsedLab(store)
    const { counts, kind, name, restored } = await deleteAndRestore(store, bound => bound.rooms.delete(lab))
    assert.equal([kind, name, counts], ['room', 'studio', { rooms: 1, computers: 2 }])
    assert.equal([...new Set(restored.map(([each]) => each))], ['rooms', 'computers', 'partitions'])
  })

  rule('a deleted center comes back with rooms, computers, procedures, tasks and their schedules', async store => {
    const { center } = await addUsedLab(store)
    const base = { center, description: '', steps: [step] }
    const procedure = Number(await store.procedures.add({ ...base, name: 'nightly' }))
    const steps = [{ procedure }]
    const task = Number(await store.tasks.add({ ...base, name: 'all', steps, options: { batch: 2 } }))
    await store.tasks.add({ ...base, name: 'first', steps: [{ task }], scope: { type: 'room', id: 1 } })
    const { counts } = await deleteAndRestore(store, bound => bound.centers.delete(center))
    assert.equal(counts, { centers: 1, rooms: 1, computers: 2, procedures: 1, tasks: 2 })
    assert.is(await store.tasks.delete(task), 'in use')
  })

  rule('a deleted image is that of the same partitions again, unless these have got another one', async store => {
    const { image: id } = await addUsedLab(store)
    await deleteAndRestore(store, bound => bound.images.delete(id))
    const { id: undo } = await keep(store, bound => bound.images.delete(id))
    const other = (await store.images.add(image('other'))) ?? 0
    await store.images.recordCreate('10.0.0.2', createdImage(other, software('Linux', 'vim')))
    await restore(store, undo)
    const copies = (await store.images.copies()).map(({ image: each, ip, version }) => [each, ip, version])
    assert.equal(copies, [
      [id, '10.0.0.1', 3],
      [other, '10.0.0.2', 0],
    ])
  })

  rule('deleted accounts, groups, repositories, tasks and procedures come back as they were', async store => {
    const center = await addCenter(store)
    const repository = Number(await store.repositories.add({ name: 'second', ip: '10.9.9.9', slots: 2 }))
    const group = Number(await store.groups.add({ name: 'exam', where: 'tag:exam' }))
    const [tokenId, userId] = [await store.tokens.add(token('lab')), await store.users.add(user('anna'))].map(Number)
    const list = { center, name: 'nightly', description: 'x', steps: [step] }
    const [procedure, task] = [await store.procedures.add(list), await store.tasks.add(list)].map(Number)
    await deleteAndRestore(store, bound => bound.repositories.delete(repository))
    await deleteAndRestore(store, bound => bound.groups.delete(group))
    await deleteAndRestore(store, bound => bound.tokens.delete(tokenId ?? 0))
    await deleteAndRestore(store, bound => bound.users.delete(userId ?? 0))
    await deleteAndRestore(store, bound => bound.procedures.delete(procedure ?? 0))
    const { kind, name } = await deleteAndRestore(store, bound => bound.tasks.delete(task ?? 0))
    assert.equal([kind, name], ['task', 'nightly'])
  })

  rule('a deleted schedule comes back with its command, and skips what was due meanwhile', async store => {
    const schedule = { ...once, type: 'command' as const, name: 'wake' }
    const command = { clients: ['10.0.0.1'], command: 'wol', params: { type: 'broadcast' } }
    const id = await store.schedules.addScheduledCommand(command, schedule)
    const [before] = await store.schedules.list()
    const { id: undo } = await keep(store, bound => bound.schedules.delete(id))
    assert.is(await store.schedules.findScheduledCommand(before?.task ?? 0), undefined)
    await restore(store, undo)
    assert.equal(await store.schedules.list(), [{ ...before, since: later }])
    assert.equal(await store.schedules.findScheduledCommand(before?.task ?? 0), { id: before?.task, ...command })
  })
}

function edits(rule: Rule): void {
  rule('edits are taken back value by value: what was edited since and not with them stays', async store => {
    const { lab, center } = await addUsedLab(store)
    const base = { center, name: 'nightly', description: '', steps: [step] }
    const [procedure, task] = [await store.procedures.add(base), await store.tasks.add(base)].map(Number)
    const fields = async () => (await store.undo.list()).map(({ kind, name, fields }) => [kind, name, fields])
    const before = await everything(store)
    const ids = [
      await keep(store, bound => bound.computers.update(['10.0.0.1'], { mac: '0a0a0a0a0a0a', place: null })),
      await keep(store, bound => bound.centers.update({ id: center, comment: 'x' })),
      await keep(store, async bound => {
        const room = await store.rooms.find(lab)
        return room && bound.rooms.update({ ...room, gateway: '10.0.0.77', tags: ['cad'] })
      }),
      await keep(store, bound => bound.procedures.update({ ...base, id: procedure ?? 0, steps: [] })),
      await keep(store, bound => bound.tasks.update({ ...base, id: task ?? 0, options: { wake: true } })),
    ]
    assert.equal(await fields(), [
      ['computer', 'pc-10.0.0.1', ['mac', 'place']],
      ['center', 'campus', ['comment']],
      ['room', 'studio', ['gateway', 'tags']],
      ['procedure', 'nightly', ['steps']],
      ['task', 'nightly', ['options']],
    ])
    const values = (await store.undo.list()).flatMap(({ changes = [] }) => changes.slice(-1))
    assert.equal(
      values.map(({ kind, name, field, before, after }) => [kind, name, field, before, after]),
      [
        ['computer', 'pc-10.0.0.1', 'place', { row: 1, column: 2 }, null],
        ['center', 'campus', 'comment', '', 'x'],
        ['room', 'studio', 'tags', null, ['cad']],
        ['procedure', 'nightly', 'steps', [step], []],
        ['task', 'nightly', 'options', null, { wake: true }],
      ],
    )
    await store.rooms.update({
      ...room(center, 'studio'),
      id: lab,
      gateway: '10.0.0.1',
      ntp: '10.0.0.9',
      tags: ['new'],
    })
    await restore(store, ids[2]?.id ?? 0)
    const { gateway, ntp, tags } = (await store.rooms.find(lab)) ?? {}
    assert.equal([gateway, ntp, tags], ['10.0.0.254', '10.0.0.9', undefined])
    await store.rooms.update({ ...room(center, 'studio'), id: lab })
    for (const { id } of ids.filter((_, at) => at !== 2).reverse()) await restore(store, id)
    assert.equal(await everything(store), before)
  })

  rule('the former values of a schedule are those of who takes its edit back', async store => {
    const center = await addCenter(store, 'north')
    const [one, two] = [
      await store.tasks.add({ center, name: 'one', description: '', steps: [step] }),
      await store.tasks.add({ center, name: 'two', description: '', steps: [step] }),
    ].map(Number)
    const first = { ...once, type: 'task' as const, task: one ?? 0, name: 'Evening', by: 'user:1' }
    const id = await store.schedules.add(first)
    const { id: undo } = await keep(store, bound =>
      bound.schedules.update({ ...first, id, task: two ?? 0, hours: 2, by: 'user:3', since: later - 1 }),
    )
    const [{ fields, changes = [] } = {}] = await store.undo.list()
    assert.equal(fields?.toSorted(), ['hours', 'task'])
    const [when, ...others] = changes
    assert.equal([when?.field, others.map(({ field, after }) => [field, after])], ['when', [['task', two]]])
    assert.equal(when?.after, { ...Object(when?.before), hours: 2 })
    const undone = await store.undo.apply(undo, later, { account: 'user:4' })
    assert.type(undone, 'object')
    assert.equal(await store.schedules.list(), [{ ...first, id, by: 'user:4', since: later }])
    const { id: nothing } = await keep(store, bound => bound.schedules.update({ ...first, id, by: 'user:5' }))
    assert.is(nothing, 0)
  })

  rule('a former name that another record has is not taken from it', async store => {
    const lab = await addLab(store, '10.0.0.1')
    const stored = await store.rooms.find(lab)
    if (!stored) throw new Error('no room')
    const { id } = await keep(store, bound => bound.rooms.update({ ...stored, name: 'other' }))
    await store.rooms.add({ ...room(stored.center, 'lab') })
    const { renamed, edited } = await restore(store, id)
    assert.equal(renamed, [{ kind: 'room', from: 'lab', to: 'lab (2)' }])
    assert.equal(edited, [['rooms', { ...stored, name: 'lab (2)' }]])
    assert.equal(await store.rooms.find(lab), { ...stored, name: 'lab (2)' })
  })
}

function keeping(rule: Rule): void {
  rule(
    'the oldest are deleted, and so are those of before a time; the ids of their computers are returned',
    async store => {
      await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
      const ids = (await store.computers.list()).map(({ id }) => id)
      for (const [at, ip] of ['10.0.0.1', '10.0.0.2', '10.0.0.3'].entries())
        await store.undo.keep({ ...note, at: note.at + at }, bound => bound.computers.delete([ip]))
      assert.equal(await store.undo.trim({ before: note.at + 1, keep: 10 }), ids.slice(0, 1))
      assert.equal(await store.undo.trim({ before: 0, keep: 1 }), ids.slice(1, 2))
      assert.equal(
        (await store.undo.list()).map(({ at }) => at),
        [note.at + 2],
      )
    },
  )

  rule('events of a method that is kept can be recorded in the same step', async store => {
    const lab = await addLab(store, '10.0.0.1')
    store.storedEvents.record(['computer-removed'])
    const { id } = await keep(store, bound =>
      bound.storedEvents.recording(
        (computers: unknown[] | undefined) => [{ type: 'computer-removed', computers: computers?.length }],
        inner => inner.rooms.delete(lab),
      ),
    )
    assert.ok(id > 0)
    assert.equal(
      (await store.storedEvents.read(0, 9)).map(({ event }) => event),
      [{ type: 'computer-removed', computers: 1 }],
    )
  })
}

conformance({ undoOfDeletions: deletions, undoOfEdits: edits, undoItems: keeping })
