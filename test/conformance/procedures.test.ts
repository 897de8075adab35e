// The rules for procedures.
import * as assert from 'uvu/assert'
import type { Step } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addCenter } from './samples.ts'
import { conformance } from './stores.ts'
import { addProcedure, addTask, procedure, schedule, script } from './work-samples.ts'

export const runs = { postgres: true }

function procedures(rule: Rule): void {
  rule('procedures are listed by id and found with all their values', async store => {
    const center = await addCenter(store)
    const [z, a] = [await addProcedure(store, center, 'z', script), await addProcedure(store, center, 'a')]
    assert.equal(await store.procedures.list(), [
      { id: z, ...procedure(center, 'z', script) },
      { id: a, ...procedure(center, 'a') },
    ])
    assert.equal(await store.procedures.find(a), { id: a, ...procedure(center, 'a') })
    assert.is(await store.procedures.find(a + 1), undefined)
  })

  rule(
    'names are unique within a center, separately for procedures and tasks, and free after a delete',
    async store => {
      const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
      const id = await addProcedure(store, north, 'x')
      assert.is(await store.procedures.add(procedure(north, 'x')), 'name taken')
      await addProcedure(store, south, 'x')
      await addTask(store, north, 'x')
      const other = await addProcedure(store, north, 'y')
      assert.is(await store.procedures.update({ ...procedure(north, 'x'), id: other }), 'name taken')
      assert.is(await store.procedures.update({ ...procedure(north, 'x', script), id }), 'updated')
      assert.is(await store.procedures.delete(id), 'deleted')
      assert.is(await store.procedures.update({ ...procedure(north, 'x'), id: other }), 'updated')
      assert.equal(await store.procedures.find(other), { ...procedure(north, 'x'), id: other })
    },
  )

  rule('an unknown center, an unknown step and an unknown procedure are reported', async store => {
    const center = await addCenter(store)
    const id = await addProcedure(store, center, 'x')
    assert.is(await store.procedures.add(procedure(center + 1, 'y')), 'unknown center')
    assert.is(await store.procedures.add(procedure(center, 'y', script, { procedure: id + 1 })), 'unknown step')
    assert.is(await store.procedures.update({ ...procedure(center, 'x', { task: 1 }), id }), 'unknown step')
    assert.is(await store.procedures.update({ ...procedure(center + 1, 'x'), id }), 'unknown center')
    assert.is(await store.procedures.update({ ...procedure(center, 'z'), id: id + 1 }), 'unknown')
    assert.is(await store.procedures.delete(id + 1), 'unknown')
    assert.equal(await store.procedures.list(), [{ id, ...procedure(center, 'x') }])
  })
}

function procedureReferences(rule: Rule): void {
  rule('a procedure whose steps lead back to itself, directly or through others, is refused as a loop', async store => {
    const center = await addCenter(store)
    const first = await addProcedure(store, center, 'first', script)
    const second = await addProcedure(store, center, 'second', { procedure: first }, { procedure: first })
    const third = await addProcedure(store, center, 'third', { procedure: second }, { procedure: first })
    const update = (...steps: Step[]) => store.procedures.update({ ...procedure(center, 'first', ...steps), id: first })
    for (const id of [first, second, third]) assert.is(await update({ procedure: id }), 'loop')
    assert.equal((await store.procedures.find(first))?.steps, [script])
    assert.is(await store.procedures.update({ ...procedure(center, 'second'), id: second }), 'updated')
    assert.is(await update({ procedure: second }), 'updated')
  })

  rule('a procedure that a procedure, a task or a schedule of its type names cannot be deleted', async store => {
    const center = await addCenter(store)
    const id = await addProcedure(store, center, 'x')
    const outer = await addProcedure(store, center, 'outer', { procedure: id })
    const task = await addTask(store, center, 'task', { procedure: outer })
    assert.is(await store.procedures.delete(id), 'in use')
    assert.is(await store.procedures.delete(outer), 'in use')
    await store.tasks.delete(task)
    await store.procedures.delete(outer)
    await store.schedules.add(schedule({ type: 'task', task: id }))
    const scheduled = await store.schedules.add(schedule({ type: 'procedure', task: id }))
    assert.is(await store.procedures.delete(id), 'in use')
    await store.schedules.delete(scheduled)
    assert.is(await store.procedures.delete(id), 'deleted')
  })

  rule('a caller cannot change a stored procedure through the objects that it passed or read', async store => {
    const center = await addCenter(store)
    const added = procedure(center, 'x', structuredClone(script))
    const id = Number(await store.procedures.add(added))
    const spoil = (steps: Step[] = []) => {
      for (const step of steps) if ('params' in step) step.params.run = 'rm'
      steps.push(script)
    }
    spoil(added.steps)
    spoil((await store.procedures.find(id))?.steps)
    spoil((await store.procedures.list())[0]?.steps)
    assert.equal((await store.procedures.find(id))?.steps, [script])
  })
}

conformance({ procedures, procedureReferences })
