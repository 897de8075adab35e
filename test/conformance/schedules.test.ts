// The rules for schedules and scheduled commands.
import * as assert from 'uvu/assert'
import type { Rule } from './rule.ts'
import { addCenter } from './samples.ts'
import { conformance } from './stores.ts'
import { addTask, schedule } from './work-samples.ts'

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

conformance({ schedules, scheduledCommands })
