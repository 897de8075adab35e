// Changes a schedule, which then belongs to a task unless `type` is sent; without `when` it fires at once.
import type { Command } from 'fleet-host'
import { idOf, object } from './_schemas/objects.ts'

const payload = object({
  id: idOf('schedule'),
  task: { $ref: 'id', description: 'id of the task, in digits, or of what `type` names' },
  name: { type: 'string', description: 'for people' },
  'type?': { enum: ['task', 'procedure', 'command'], description: 'task by default, whatever it was before' },
  'when?': {
    $ref: 'whenChanged',
    description: 'when it fires; absent: now, once, and its earlier time is lost: fleet schedule edit keeps it',
  },
  'suspended?': {
    enum: [0, 1],
    description: '1: it does not fire; send `when`, too: fleet schedule suspend and resume do so',
  },
})

export default {
  summary: 'Change a schedule',
  group: 'Schedules',
  example: { id: '1', task: '1', name: 'Every morning' },
  route: 'POST /schedule/update',
  assistants: false,
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const { id, task, name, type = 'task', when, suspended } = payload
    const change = { task: Number(task), name, type, when, ...(suspended !== undefined && { suspended }) }
    const refusal = await services.schedules.update(Number(id), change, request)
    if (refusal) return refusal
    await services.schedules.warn(Number(id), when, request)
    await services.plans.warn('image-restore', Number(id), request)
  },
} satisfies Command<typeof payload>
