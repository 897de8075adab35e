// The rules for tasks.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter } from './samples.ts'
import { conformance } from './stores.ts'
import { addProcedure, addTask, procedure as sample, schedule } from './work-samples.ts'

export const runs = { postgres: true }

function tasks(rule: Rule): void {
  rule('a task has a scope, clients, both or neither, and keeps the sequence of its steps', async store => {
    const center = await addCenter(store)
    const procedure = await addProcedure(store, center, 'x')
    const inner = await addTask(store, center, 'inner', { procedure }, { procedure })
    const scope = { type: 'room', id: 3 } as const
    const then = 'poweroff' as const
    const then_after = 'success' as const
    const tasks = [
      { ...sample(center, 'a', { task: inner }, { procedure }), scope },
      { ...sample(center, 'b'), clients: ['10.0.0.1', '10.0.0.2'] },
      { ...sample(center, 'c'), scope, clients: [] },
      {
        ...sample(center, 'options'),
        options: { wake: true, when_idle: false, until: '06:30', batch: 20, then, then_after },
      },
      { ...sample(center, 'no options'), options: {} },
    ]
    for (const task of tasks) {
      const id = Number(await store.tasks.add(task))
      assert.equal(await store.tasks.find(id), { id, ...task })
    }
    assert.equal((await store.tasks.list())[0], { id: inner, ...sample(center, 'inner', { procedure }, { procedure }) })
    assert.is(await store.tasks.update({ id: inner, ...sample(center, 'd') }), 'updated')
    assert.equal(await store.tasks.find(inner), { id: inner, ...sample(center, 'd') })
  })

  rule('the options of a task come back with their keys in one order, and with any text', async store => {
    const center = await addCenter(store)
    for (const until of ['06:30', 'a\0b', '\ud83d', '\uffff0000', '"\\u0000']) {
      const options = { then_after: 'any', until, batch: 3, wake: false } as const
      const id = Number(await store.tasks.add({ ...sample(center, until), options }))
      const ordered = { wake: false, until, batch: 3, then_after: 'any' }
      assert.is(JSON.stringify((await store.tasks.find(id))?.options), JSON.stringify(ordered))
    }
  })

  rule(
    'a task whose steps lead back to itself is refused, and a task that is in use cannot be deleted',
    async store => {
      const center = await addCenter(store)
      const inner = await addTask(store, center, 'inner')
      const outer = await addTask(store, center, 'outer', { task: inner })
      assert.is(await store.tasks.update({ ...sample(center, 'inner', { task: outer }), id: inner }), 'loop')
      assert.is(await store.tasks.delete(inner), 'in use')
      const id = await store.schedules.add(schedule({ type: 'task', task: outer }))
      assert.is(await store.tasks.delete(outer), 'in use')
      await store.schedules.delete(id)
      assert.is(await store.tasks.delete(outer), 'deleted')
      assert.is(await store.tasks.delete(inner), 'deleted')
      assert.is(await store.tasks.delete(inner), 'unknown')
    },
  )
}

function taskNamesAndCenters(rule: Rule): void {
  rule('a procedure and a task of the same id are different', async store => {
    const center = await addCenter(store)
    const procedure = await addProcedure(store, center, 'x')
    const task = await addTask(store, center, 'x', { procedure })
    assert.is(task, procedure)
    assert.is(await store.tasks.delete(task), 'deleted')
  })

  rule('of 32 concurrent adds of one name exactly one succeeds', async store => {
    const center = await addCenter(store)
    const outcomes = await Promise.all(Array.from({ length: 32 }, () => store.tasks.add(sample(center, 'x'))))
    assert.is(outcomes.filter(outcome => typeof outcome === 'number').length, 1)
    assert.is((await store.tasks.list()).length, 1)
  })

  rule('deleting a center deletes its procedures and tasks, and nothing of other centers', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    const procedure = await addProcedure(store, north, 'x')
    const task = await addTask(store, north, 'x', { procedure })
    const steps = [{ procedure }, { task }]
    const other = await addTask(store, south, 'x', ...steps)
    const scheduled = await store.schedules.add(schedule({ type: 'task', task }))
    await store.centers.delete(north)
    assert.equal(await store.procedures.list(), [])
    assert.equal(await store.tasks.list(), [{ id: other, ...sample(south, 'x', ...steps) }])
    assert.is(await store.tasks.update({ id: other, ...sample(south, 'y', ...steps) }), 'unknown step')
    assert.equal(
      (await store.schedules.list()).map(({ id }) => id),
      [scheduled],
    )
    assert.ok((await addTask(store, south, 'z')) > other)
  })
}

conformance({ tasks, taskNamesAndCenters })
