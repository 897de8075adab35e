// The rules for adding and changing computers in one step.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter, addLab, addRoom, computer, report, row } from './samples.ts'
import { conformance } from './stores.ts'
import { keep, later, note, once, restore } from './undo-samples.ts'

export const runs = { postgres: true }

function merges(rule: Rule): void {
  rule('a merge adds the rows without an id, and changes only the keys of the others', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const other = await addRoom(store, await addCenter(store, 'another center'), 'another room')
    const [one, two] = await store.computers.list()
    const added = computer(lab, '10.0.0.3', { name: 'third' })
    const rows = [{ id: two?.id ?? 0, name: 'renamed', room: other, boot: undefined }, added]
    assert.equal(await store.computers.merge(rows), { conflicts: [], before: [two] })
    const [first, second, third] = await store.computers.list()
    assert.equal([first, second], [one, { ...two, name: 'renamed', room: other }])
    assert.equal(third, { id: third?.id, ...added })
    const tree = await store.scopes()
    assert.equal(
      tree.map(({ scope }) => scope[0]?.scope.map(({ name }) => name)),
      [['pc-10.0.0.1', 'third'], ['renamed']],
    )
    assert.equal(await store.computers.merge([]), { conflicts: [], before: [] })
  })

  rule('a merge with a conflict changes nothing, and every conflict is reported', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2')
    const before = await store.computers.list()
    const [one, two] = before.map(({ id }) => id)
    const rows = [
      computer(lab, '10.0.0.3'),
      { id: 99, name: 'x' },
      { id: one ?? 0, ip: '10.0.0.2' },
      { id: one ?? 0, name: 'x' },
      { id: two ?? 0, room: 99, repo_id: 99 },
      computer(lab, '10.0.0.3'),
      computer(99, '10.0.0.4'),
    ]
    assert.equal(await store.computers.merge(rows), {
      conflicts: [
        { index: 1, reason: 'unknown computer' },
        { index: 2, reason: 'address taken' },
        { index: 3, reason: 'repeated computer' },
        { index: 4, reason: 'unknown room' },
        { index: 4, reason: 'unknown repository' },
        { index: 5, reason: 'address taken' },
        { index: 6, reason: 'unknown room' },
      ],
      before: [],
    })
    assert.equal(await store.computers.list(), before)
  })

  rule(
    'computers exchange their addresses, and a new one takes a free address, in one merge',
    async (first, opened) => {
      const lab = await addLab(first, '10.0.0.1', '10.0.0.2', '10.0.0.3')
      await first.inventory.refresh('10.0.0.1', report(row(1)))
      const [one = 0, two = 0, three = 0] = (await first.computers.list()).map(({ id }) => id)
      const rows = [
        computer(lab, '10.0.0.3', { name: 'new' }),
        { id: one, ip: '10.0.0.2' },
        { id: two, ip: '10.0.0.1' },
        { id: three, ip: '10.0.0.4' },
      ]
      assert.equal((await first.computers.merge(rows)).conflicts, [])
      const store = opened.reopen ? await opened.reopen() : first
      const ids = ['10.0.0.2', '10.0.0.1', '10.0.0.4'].map(async ip => (await store.computers.find(ip))?.id)
      assert.equal(await Promise.all(ids), [one, two, three])
      assert.is((await store.computers.find('10.0.0.3'))?.name, 'new')
      assert.is((await store.inventory.partitions('10.0.0.2')).length, 1)
      assert.equal(await store.inventory.partitions('10.0.0.1'), [])
    },
  )

  rule('the lists of tasks, scheduled commands and groups follow a computer, and its way back', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.2', '10.0.0.3')
    const list = { center: 1, name: 'Maint', description: '', steps: [] }
    const task = Number(await store.tasks.add({ ...list, clients: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }))
    await store.tasks.add({ ...list, name: 'others', clients: ['10.0.0.3'] })
    const command = { command: 'reboot', params: {}, clients: ['10.0.0.2'] }
    const schedule = await store.schedules.addScheduledCommand(command, { ...once, type: 'command', name: 'Maint' })
    await store.groups.add({ name: 'some', clients: ['10.0.0.1', '10.0.0.7'] })
    const lists = async () => {
      const errand = (await store.schedules.list()).find(({ id }) => id === schedule)?.task ?? 0
      const [tasks, scheduled] = [await store.tasks.list(), await store.schedules.findScheduledCommand(errand)]
      return [...tasks, scheduled, ...(await store.groups.list())].map(each => each?.clients?.map(ip => ip.slice(7)))
    }
    const before = await lists()
    const [one = 0, two = 0] = (await store.computers.list(lab)).map(({ id }) => id)
    const rows = [
      { id: one, ip: '10.0.0.2' },
      { id: two, ip: '10.0.0.7' },
    ]
    const { id } = await keep(store, bound => bound.computers.merge(rows))
    assert.equal(await lists(), [['2', '7', '3'], ['3'], ['7'], ['2', '7']])
    const [{ kind, counts, changes = [] } = {}] = await store.undo.list()
    assert.equal([kind, counts], ['computer', { changed: 2 }])
    assert.equal(new Set(changes.map(({ field }) => field)), new Set(['ip']))
    await store.tasks.update({ ...list, id: task, name: 'renamed', clients: ['10.0.0.2', '10.0.0.3'] })
    await restore(store, id)
    assert.equal(await lists(), [['1', '3'], ...before.slice(1)])
    assert.is(await store.computers.update(['10.0.0.1'], { ip: '10.0.0.9' }), 'updated')
    assert.equal((await lists())[0], ['9', '3'])
  })

  rule('a list that had the new address already has its own addresses when the move is taken back', async store => {
    const lab = await addLab(store, '10.0.0.1', '10.0.0.3')
    const list = { center: 1, description: '', steps: [] }
    await store.tasks.add({ ...list, name: 'of a deleted computer', clients: ['10.0.0.2'] })
    await store.tasks.add({ ...list, name: 'of both', clients: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
    await store.groups.add({ name: 'two', clients: ['10.0.0.2', '10.0.0.3'] })
    const command = { command: 'reboot', params: {}, clients: ['10.0.0.2'] }
    await store.schedules.addScheduledCommand(command, { ...once, type: 'command', name: 'Maint' })
    const lists = async () => {
      const [{ task: errand = 0 } = {}] = await store.schedules.list()
      const scheduled = await store.schedules.findScheduledCommand(errand)
      const rows = [...(await store.tasks.list()), ...(await store.groups.list()), scheduled]
      return rows.map(row => row?.clients?.map(ip => ip.slice(7)).join(' '))
    }
    const before = await lists()
    const [one = 0] = (await store.computers.list(lab)).map(({ id }) => id)
    const { id } = await keep(store, bound => bound.computers.merge([{ id: one, ip: '10.0.0.2' }]))
    const moved = ['2', '2 3', '2 3', '2']
    assert.equal(await lists(), moved)
    await store.tasks.add({ ...list, name: 'new', clients: ['10.0.0.2'] })
    const { id: again } = await keep(store, bound => bound.undo.apply(id, later))
    assert.equal(await lists(), [...before.slice(0, 2), '1', ...before.slice(2)])
    const { id: back } = await keep(store, bound => bound.undo.apply(again, later))
    assert.equal(await lists(), [...moved.slice(0, 2), '2', ...moved.slice(2)])
    const join = { ...note, joins: back }
    const { item } = await store.undo.keep(join, bound => bound.computers.merge([{ id: one, ip: '10.0.0.9' }]))
    assert.is(item?.id === back, false)
    await restore(store, back)
    assert.equal(await lists(), ['9', '1 3', '1', '9 3', '9'])
  })

  rule('only the known keys of a merged computer are stored', async store => {
    const lab = await addLab(store, '10.0.0.1')
    const [one] = await store.computers.list()
    const change = { id: one?.id ?? 0, name: 'x', center: 88 }
    const added = { ...computer(lab, '10.0.0.2'), other: 1 }
    assert.equal((await store.computers.merge([change, added])).conflicts, [])
    for (const { ip } of await store.computers.list()) {
      const stored = await store.computers.find(ip)
      assert.is.not(stored?.center, 88)
      assert.not.ok(stored && 'other' in stored)
    }
  })
}

conformance({ merges })
