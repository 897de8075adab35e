// The rules for schedules and scheduled commands.
import * as assert from 'uvu/assert'
import type { NewPlannedRestore, Store } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addCenter } from './samples.ts'
import { conformance } from './stores.ts'
import { addProcedure, addTask, procedure, schedule, script } from './work-samples.ts'

export const runs = { postgres: true }

const command = { clients: ['10.0.0.1', '10.0.0.2'], command: 'wol', params: { type: 'broadcast' } }
const { task: _, ...commandSchedule } = schedule({ type: 'command' })

function schedules(rule: Rule): void {
  rule('schedules are listed by id with all their values, and may name missing tasks', async store => {
    const first = await store.schedules.add(schedule({ name: 'z', years: 2 ** 31 }))
    const second = await store.schedules.add(schedule({ name: 'a', type: 'procedure', task: 4e9, suspended: 1 }))
    const planned = schedule({ task: 5, plan: { task: 5, procedure: 6 } })
    const third = await store.schedules.add(planned)
    assert.equal(await store.schedules.list(), [
      { id: first, ...schedule({ name: 'z', years: 2 ** 31 }) },
      { id: second, ...schedule({ name: 'a', type: 'procedure', task: 4e9, suspended: 1 }) },
      { id: third, ...planned },
    ])
    const center = await addCenter(store)
    assert.is(await addTask(store, center, 'first task'), 1)
  })

  rule('a schedule is updated as a whole, or only its `since`', async store => {
    const id = await store.schedules.add(schedule())
    const changed = { id, ...schedule({ task: 8, suspended: 1, minutes: 0, by: 'admin' }) }
    assert.is(await store.schedules.update(changed), true)
    assert.equal(await store.schedules.list(), [changed])
    await store.schedules.setSince(id, 5)
    await store.schedules.setSince(id + 1, 6)
    assert.equal(await store.schedules.list(), [{ ...changed, since: 5 }])
    assert.is(await store.schedules.update({ ...changed, id: id + 1 }), false)
    assert.is(await store.schedules.delete(id + 1), false)
    assert.is(await store.schedules.delete(id), true)
    assert.equal(await store.schedules.list(), [])
  })
}

function scheduledCommands(rule: Rule): void {
  rule(
    'a scheduled command is stored with its schedule, and deleted with the last schedule that names it',
    async store => {
      const first = await store.schedules.addScheduledCommand(command, commandSchedule)
      const [stored] = await store.schedules.list()
      const task = stored?.task ?? 0
      assert.equal(stored, { id: first, ...commandSchedule, task })
      assert.equal(await store.schedules.findScheduledCommand(task), { id: task, ...command })
      const second = await store.schedules.add({ ...commandSchedule, task })
      const other = await store.schedules.add(schedule({ type: 'task', task }))
      await store.schedules.delete(first)
      assert.ok(await store.schedules.findScheduledCommand(task))
      await store.schedules.delete(second)
      assert.is(await store.schedules.findScheduledCommand(task), undefined)
      await store.schedules.delete(other)
      await store.schedules.addScheduledCommand(command, commandSchedule)
      assert.ok(((await store.schedules.list())[0]?.task ?? 0) > task)
    },
  )

  rule('a scheduled command is deleted when its last schedule is updated to name something else', async store => {
    const id = await store.schedules.addScheduledCommand(command, commandSchedule)
    const task = (await store.schedules.list())[0]?.task ?? 0
    await store.schedules.update({ id, ...commandSchedule, task, minutes: 1 })
    assert.ok(await store.schedules.findScheduledCommand(task))
    await store.schedules.update({ id, ...schedule() })
    assert.is(await store.schedules.findScheduledCommand(task), undefined)
  })

  rule(
    'a caller cannot change schedules and scheduled commands through the objects that it passed or read',
    async store => {
      const added = structuredClone(command)
      await store.schedules.addScheduledCommand(added, commandSchedule)
      added.clients.push('10.0.0.3')
      const [read] = await store.schedules.list()
      const stored = await store.schedules.findScheduledCommand(read?.task ?? 0)
      if (read) read.minutes = 59
      if (stored) stored.params.type = 'unicast'
      assert.is((await store.schedules.list())[0]?.minutes, commandSchedule.minutes)
      assert.equal(await store.schedules.findScheduledCommand(read?.task ?? 0), { id: read?.task, ...command })
    },
  )
}

const { type: __, task: ___, ...firing } = schedule({ name: 'restore' })

const restoreOf = (center: number, name: string): NewPlannedRestore => {
  const { steps: _, ...task } = { ...procedure(center, name, script), clients: ['10.0.0.1'], options: { batch: 2 } }
  const planned = true
  return {
    procedure: { ...procedure(center, name, script), planned },
    task: { ...task, planned },
    schedule: { ...firing, name },
  }
}

const countPlanned = async ({ procedures, tasks, schedules }: Store) =>
  (await Promise.all([procedures.list(), tasks.list(), schedules.list()])).map(rows => rows.length)

function plannedRestores(rule: Rule): void {
  rule(
    'a planned restore is a procedure, a task of it and a schedule of the task, which has their ids',
    async store => {
      const center = await addCenter(store)
      await addTask(store, center, 'other')
      const restore = restoreOf(center, 'restore')
      const added = await store.schedules.addPlannedRestore(restore)
      if (typeof added === 'string') throw new Error(added)
      const { procedure, task, schedule } = added
      const plan = { task, procedure }
      assert.equal(await store.procedures.list(), [{ id: procedure, ...restore.procedure }])
      assert.equal(await store.tasks.find(task), { id: task, ...restore.task, steps: [{ procedure }] })
      assert.equal(await store.schedules.list(), [{ id: schedule, ...firing, type: 'task', task, plan }])
      const atOnce = await store.schedules.addPlannedRestore({ ...restoreOf(center, 'at once'), schedule: undefined })
      assert.is(typeof atOnce === 'object' && atOnce.schedule, 0)
      assert.equal(await countPlanned(store), [2, 3, 1])
    },
  )

  rule('nothing of a planned restore is stored when one of its names is taken, or its center unknown', async store => {
    const center = await addCenter(store)
    await addTask(store, center, 'task')
    await addProcedure(store, center, 'procedure')
    assert.is(await store.schedules.addPlannedRestore(restoreOf(center, 'task')), 'name taken')
    assert.is(await store.schedules.addPlannedRestore(restoreOf(center, 'procedure')), 'name taken')
    assert.is(await store.schedules.addPlannedRestore(restoreOf(center + 1, 'new')), 'unknown center')
    assert.equal(await countPlanned(store), [1, 1, 0])
  })

  rule('nothing of a planned restore is stored when the store fails in the middle', async store => {
    const center = await addCenter(store)
    const restore = restoreOf(center, 'restore')
    const unreadable = {
      ...firing,
      get minutes(): number {
        throw new Error('no minutes')
      },
    }
    // `as`: no engine on disk can store such a value.
    const unstorable = { ...firing, suspended: 2n as unknown as 0 }
    const errors = [unreadable, unstorable].map(schedule =>
      store.schedules.addPlannedRestore({ ...restore, schedule }).then(
        () => 'stored',
        error => String(error),
      ),
    )
    assert.is(await errors[0], 'Error: no minutes')
    const expected = (await errors[1]) === 'stored' ? 1 : 0
    assert.equal(await countPlanned(store), [expected, expected, expected])
  })

  rule('a planned restore is deleted in one step, but for what something else names', async store => {
    const center = await addCenter(store)
    const add = async (name: string) => {
      const added = await store.schedules.addPlannedRestore(restoreOf(center, name))
      return typeof added === 'string' ? { procedure: 0, task: 0, schedule: 0 } : added
    }
    const [first, second, third, fourth] = [await add('first'), await add('second'), await add('third'), await add('4')]
    await addTask(store, center, 'names a procedure', { procedure: second.procedure })
    const other = await store.schedules.add(schedule({ task: third.task }))
    for (const { schedule } of [first, second, third]) assert.is(await store.schedules.delete(schedule), true)
    assert.is(await store.schedules.delete(first.schedule), false)
    const ids = async (rows: Promise<{ id: number }[]>) => (await rows).map(({ id }) => id)
    assert.equal(await ids(store.procedures.list()), [second.procedure, third.procedure, fourth.procedure])
    assert.equal((await ids(store.tasks.list())).slice(0, 2), [third.task, fourth.task])
    assert.equal(await ids(store.schedules.list()), [fourth.schedule, other])
  })
}

conformance({ schedules, scheduledCommands, plannedRestores })
