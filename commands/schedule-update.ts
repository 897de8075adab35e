// Changes a schedule, which is a task's from then on; without a time it fires at once.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['id', 'task', 'name'],
  properties: {
    id: { $ref: 'id' },
    task: { $ref: 'id' },
    name: { type: 'string' },
    when: { $ref: 'whenChanged' },
    suspended: { enum: [0, 1] },
  },
} as const

export default {
  summary: 'Change a schedule',
  example: { id: '1', task: '1', name: 'Every morning' },
  route: 'POST /schedule/update',
  payload,
  async answer({ id, task, name, when, suspended }, { schedules: calendar, refuse }) {
    const change = { task: Number(task), name, ...(when && { when }), ...(suspended !== undefined && { suspended }) }
    if (!(await calendar.update(Number(id), change))) return refuse(`id: there is no schedule ${id}`)
  },
} satisfies Command<typeof payload>
