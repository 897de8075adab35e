// The rules for deletions that are taken back, with everything that hung on them.
import * as assert from 'uvu/assert'
import type { KeptStore, Store } from '../../stores/store.ts'
import { everything } from './fill.ts'
import type { Rule } from './rule.ts'
import { addCenter, addLab, computer, createdImage, image, software } from './samples.ts'
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
  const names = await store.undo.names(id)
  const { restored } = await restore(store, id)
  assert.equal(await everything(store), before)
  assert.equal(await store.undo.list(), [])
  const { kind, name, counts } = item ?? {}
  assert.is(await store.undo.names(id), undefined)
  return { kind, name, counts, restored, names }
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
    const { counts, kind, name, restored, names } = await deleteAndRestore(store, bound => bound.rooms.delete(lab))
    assert.equal([kind, name, counts], ['room', 'studio', { rooms: 1, computers: 2 }])
    const computers = ['pc-10.0.0.1', 'pc-10.0.0.2'].map(each => ({ kind: 'computer', name: each }))
    assert.equal(names, { removed: [{ kind: 'room', name: 'studio' }, ...computers], added: [], edited: [] })
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

function movedComputers(rule: Rule): void {
  rule('lists that come back have the present addresses of their computers', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const list = { center: 1, description: '', steps: [], clients: ['10.0.0.1', '10.0.0.2', '10.0.0.7'] }
    const [task = 0, other = 0] = [
      await store.tasks.add({ ...list, name: 'deleted' }),
      await store.tasks.add({ ...list, name: 'edited' }),
    ].map(Number)
    const group = Number(await store.groups.add({ name: 'some', clients: list.clients }))
    const command = { command: 'reboot', params: {}, clients: ['10.0.0.1'] }
    const schedule = await store.schedules.addScheduledCommand(command, { ...once, type: 'command', name: 'Maint' })
    const ids = [
      await keep(store, bound => bound.tasks.delete(task)),
      await keep(store, bound => bound.tasks.update({ ...list, id: other, name: 'edited', clients: ['10.0.0.2'] })),
      await keep(store, bound => bound.groups.delete(group)),
      await keep(store, bound => bound.schedules.delete(schedule)),
    ]
    assert.is(await store.computers.update(['10.0.0.1'], { ip: '10.0.0.3' }), 'updated')
    await store.computers.add([computer(lab, '10.0.0.1', { name: 'new' })])
    await store.computers.delete(['10.0.0.2'])
    for (const { id } of ids) await restore(store, id)
    const [{ task: errand = 0 } = {}] = await store.schedules.list()
    const scheduled = await store.schedules.findScheduledCommand(errand)
    const present = ['10.0.0.3', '10.0.0.2', '10.0.0.7']
    const rows = [...(await store.tasks.list()), ...(await store.groups.list()), scheduled]
    assert.equal(
      rows.map(row => row?.clients),
      [present, present, present, ['10.0.0.3']],
    )
  })
}

conformance({ undoOfMovedLists: movedComputers, undoOfDeletions: deletions, undoItems: keeping })
