// The rules for procedures, tasks and schedules.
import * as assert from 'uvu/assert'
import type { Step } from '../../stores/store.ts'
import type { Rule } from './rule.ts'
import { addCenter } from './samples.ts'
import { addProcedure, addTask, plan, schedule, script } from './work-samples.ts'

export function procedures(rule: Rule): void {
  rule('procedures are found and listed in the order of the ids, with all that was given', async store => {
    const center = await addCenter(store)
    const [z, a] = [await addProcedure(store, center, 'z', script), await addProcedure(store, center, 'a')]
    assert.equal(await store.procedures.list(), [
      { id: z, ...plan(center, 'z', script) },
      { id: a, ...plan(center, 'a') },
    ])
    assert.equal(await store.procedures.find(a), { id: a, ...plan(center, 'a') })
    assert.is(await store.procedures.find(a + 1), undefined)
  })

  rule('a name is taken within its center only, by the same kind only, and is free after a delete', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    const id = await addProcedure(store, north, 'x')
    assert.is(await store.procedures.add(plan(north, 'x')), 'name taken')
    await addProcedure(store, south, 'x')
    await addTask(store, north, 'x')
    const other = await addProcedure(store, north, 'y')
    assert.is(await store.procedures.update({ ...plan(north, 'x'), id: other }), 'name taken')
    assert.is(await store.procedures.update({ ...plan(north, 'x', script), id }), 'updated')
    assert.is(await store.procedures.delete(id), 'deleted')
    assert.is(await store.procedures.update({ ...plan(north, 'x'), id: other }), 'updated')
    assert.equal(await store.procedures.find(other), { ...plan(north, 'x'), id: other })
  })

  rule('what is unknown is told: the center, a step, the one to change or to delete', async store => {
    const center = await addCenter(store)
    const id = await addProcedure(store, center, 'x')
    assert.is(await store.procedures.add(plan(center + 1, 'y')), 'unknown center')
    assert.is(await store.procedures.add(plan(center, 'y', script, { procedure: id + 1 })), 'unknown step')
    assert.is(await store.procedures.update({ ...plan(center, 'x', { task: 1 }), id }), 'unknown step')
    assert.is(await store.procedures.update({ ...plan(center + 1, 'x'), id }), 'unknown center')
    assert.is(await store.procedures.update({ ...plan(center, 'z'), id: id + 1 }), 'unknown')
    assert.is(await store.procedures.delete(id + 1), 'unknown')
    assert.equal(await store.procedures.list(), [{ id, ...plan(center, 'x') }])
  })

  rule('one that would come to itself is a loop, also through several', async store => {
    const center = await addCenter(store)
    const first = await addProcedure(store, center, 'first', script)
    const second = await addProcedure(store, center, 'second', { procedure: first }, { procedure: first })
    const third = await addProcedure(store, center, 'third', { procedure: second }, { procedure: first })
    const update = (...steps: Step[]) => store.procedures.update({ ...plan(center, 'first', ...steps), id: first })
    for (const procedure of [first, second, third]) assert.is(await update({ procedure }), 'loop')
    assert.equal((await store.procedures.find(first))?.steps, [script])
    assert.is(await store.procedures.update({ ...plan(center, 'second'), id: second }), 'updated')
    assert.is(await update({ procedure: second }), 'updated')
  })

  rule('one that a procedure, a task or a schedule of its type names is in use', async store => {
    const center = await addCenter(store)
    const id = await addProcedure(store, center, 'x')
    const outer = await addProcedure(store, center, 'outer', { procedure: id })
    const task = await addTask(store, center, 'task', { procedure: outer })
    assert.is(await store.procedures.delete(id), 'in use')
    assert.is(await store.procedures.delete(outer), 'in use')
    await store.tasks.delete(task)
    await store.procedures.delete(outer)
    await store.schedules.add(schedule({ type: 'task', task: id }))
    const own = await store.schedules.add(schedule({ type: 'procedure', task: id }))
    assert.is(await store.procedures.delete(id), 'in use')
    await store.schedules.delete(own)
    assert.is(await store.procedures.delete(id), 'deleted')
  })

  rule('what was given and what is read are copies', async store => {
    const center = await addCenter(store)
    const given = plan(center, 'x', structuredClone(script))
    const id = Number(await store.procedures.add(given))
    const spoil = (steps: Step[] = []) => {
      for (const step of steps) if ('params' in step) step.params.run = 'rm'
      steps.push(script)
    }
    spoil(given.steps)
    spoil((await store.procedures.find(id))?.steps)
    spoil((await store.procedures.list())[0]?.steps)
    assert.equal((await store.procedures.find(id))?.steps, [script])
  })
}

export function tasks(rule: Rule): void {
  rule('a task has a scope, clients, both or neither, and keeps its steps in order', async store => {
    const center = await addCenter(store)
    const procedure = await addProcedure(store, center, 'x')
    const inner = await addTask(store, center, 'inner', { procedure }, { procedure })
    const scope = { type: 'room', id: 3 } as const
    const given = [
      { ...plan(center, 'a', { task: inner }, { procedure }), scope },
      { ...plan(center, 'b'), clients: ['10.0.0.1', '10.0.0.2'] },
      { ...plan(center, 'c'), scope, clients: [] },
    ]
    for (const task of given) {
      const id = Number(await store.tasks.add(task))
      assert.equal(await store.tasks.find(id), { id, ...task })
    }
    assert.equal((await store.tasks.list())[0], { id: inner, ...plan(center, 'inner', { procedure }, { procedure }) })
    assert.is(await store.tasks.update({ id: inner, ...plan(center, 'd') }), 'updated')
    assert.equal(await store.tasks.find(inner), { id: inner, ...plan(center, 'd') })
  })

  rule('a task that would come to itself is a loop; one that a task or a schedule names is in use', async store => {
    const center = await addCenter(store)
    const inner = await addTask(store, center, 'inner')
    const outer = await addTask(store, center, 'outer', { task: inner })
    assert.is(await store.tasks.update({ ...plan(center, 'inner', { task: outer }), id: inner }), 'loop')
    assert.is(await store.tasks.delete(inner), 'in use')
    const id = await store.schedules.add(schedule({ type: 'task', task: outer }))
    assert.is(await store.tasks.delete(outer), 'in use')
    await store.schedules.delete(id)
    assert.is(await store.tasks.delete(outer), 'deleted')
    assert.is(await store.tasks.delete(inner), 'deleted')
    assert.is(await store.tasks.delete(inner), 'unknown')
  })

  rule('a procedure and a task of the same id are different', async store => {
    const center = await addCenter(store)
    const procedure = await addProcedure(store, center, 'x')
    const task = await addTask(store, center, 'x', { procedure })
    assert.is(task, procedure)
    assert.is(await store.tasks.delete(task), 'deleted')
  })

  rule('of 32 rivals for a name one wins', async store => {
    const center = await addCenter(store)
    const rivals = await Promise.all(Array.from({ length: 32 }, () => store.tasks.add(plan(center, 'x'))))
    assert.is(rivals.filter(outcome => typeof outcome === 'number').length, 1)
    assert.is((await store.tasks.list()).length, 1)
  })

  rule('deleting a center takes its procedures and tasks along, and nothing of others', async store => {
    const [north, south] = [await addCenter(store, 'north'), await addCenter(store, 'south')]
    const procedure = await addProcedure(store, north, 'x')
    const task = await addTask(store, north, 'x', { procedure })
    const steps = [{ procedure }, { task }]
    const kept = await addTask(store, south, 'x', ...steps)
    const fires = await store.schedules.add(schedule({ type: 'task', task }))
    await store.centers.delete(north)
    assert.equal(await store.procedures.list(), [])
    assert.equal(await store.tasks.list(), [{ id: kept, ...plan(south, 'x', ...steps) }])
    assert.is(await store.tasks.update({ id: kept, ...plan(south, 'y', ...steps) }), 'unknown step')
    assert.equal(
      (await store.schedules.list()).map(({ id }) => id),
      [fires],
    )
    assert.ok((await addTask(store, south, 'z')) > kept)
  })
}

export function schedules(rule: Rule): void {
  const errand = { clients: ['10.0.0.1', '10.0.0.2'], command: 'wol', params: { type: 'broadcast' } }
  const { task: _, ...rest } = schedule({ type: 'command' })

  rule(
    'schedules are listed in the order of the ids with all that was given; what they name may be missing',
    async store => {
      const first = await store.schedules.add(schedule({ name: 'z', years: 2 ** 31 }))
      const second = await store.schedules.add(schedule({ name: 'a', type: 'procedure', task: 4e9, suspended: 1 }))
      assert.equal(await store.schedules.list(), [
        { id: first, ...schedule({ name: 'z', years: 2 ** 31 }) },
        { id: second, ...schedule({ name: 'a', type: 'procedure', task: 4e9, suspended: 1 }) },
      ])
      const center = await addCenter(store)
      assert.is(await addTask(store, center, 'the first, whatever a schedule names'), 1)
    },
  )

  rule('a schedule changes as a whole, or what has passed of it', async store => {
    const id = await store.schedules.add(schedule())
    const changed = { id, ...schedule({ task: 8, suspended: 1, minutes: 0 }) }
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

  rule('an errand is stored with its schedule, and goes with the last one that names it', async store => {
    const first = await store.schedules.addScheduledCommand(errand, rest)
    const [stored] = await store.schedules.list()
    const task = stored?.task ?? 0
    assert.equal(stored, { id: first, ...rest, task })
    assert.equal(await store.schedules.findScheduledCommand(task), { id: task, ...errand })
    const second = await store.schedules.add({ ...rest, task })
    const other = await store.schedules.add(schedule({ type: 'task', task }))
    await store.schedules.delete(first)
    assert.ok(await store.schedules.findScheduledCommand(task))
    await store.schedules.delete(second)
    assert.is(await store.schedules.findScheduledCommand(task), undefined)
    await store.schedules.delete(other)
    await store.schedules.addScheduledCommand(errand, rest)
    assert.ok(((await store.schedules.list())[0]?.task ?? 0) > task)
  })

  rule('an errand also goes when its last schedule comes to name something else', async store => {
    const id = await store.schedules.addScheduledCommand(errand, rest)
    const task = (await store.schedules.list())[0]?.task ?? 0
    await store.schedules.update({ id, ...rest, task, minutes: 1 })
    assert.ok(await store.schedules.findScheduledCommand(task))
    await store.schedules.update({ id, ...schedule() })
    assert.is(await store.schedules.findScheduledCommand(task), undefined)
  })

  rule('a schedule and an errand are copies', async store => {
    const given = structuredClone(errand)
    await store.schedules.addScheduledCommand(given, rest)
    given.clients.push('10.0.0.3')
    const [read] = await store.schedules.list()
    const found = await store.schedules.findScheduledCommand(read?.task ?? 0)
    if (read) read.minutes = 59
    if (found) found.params.type = 'unicast'
    assert.is((await store.schedules.list())[0]?.minutes, rest.minutes)
    assert.equal(await store.schedules.findScheduledCommand(read?.task ?? 0), { id: read?.task, ...errand })
  })
}
