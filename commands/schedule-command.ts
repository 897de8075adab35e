// Stores a command with its clients and schedules it; without `when` it fires at once.
import type { Command } from 'fleet-host'
import { foundTargets } from './_schemas/groups.ts'
import { object } from './_schemas/objects.ts'
import { weekdayEvenings } from './_schemas/tasks.ts'

const payload = object({
  'clients?': { $ref: 'clients' },
  ...foundTargets,
  command: { type: 'string', description: 'name of a command that is for clients' },
  params: { type: 'object', description: 'its payload without `clients`' },
  'when?': { $ref: 'when' },
  'name?': { type: 'string', minLength: 1, description: 'of the schedule, for people; default: the command' },
})

export default {
  summary: 'Schedule a command',
  group: 'Schedules',
  example: { clients: ['10.1.1.20'], command: 'poweroff', params: {}, when: weekdayEvenings },
  route: 'POST /schedule/command',
  assistants: false,
  access: 'operate',
  scoped: true,
  payload,
  async answer({ payload, services, request }) {
    const { clients, where, group, command, params, when, name } = payload
    const wrong = await services.search.check({ clients, where, group })
    if (wrong) return wrong
    if (!clients && where === undefined && group === undefined)
      return services.refuse('payload: expected one of clients, where and group, got none')
    const steps = services.jobs.checkSteps([{ command, params }])
    if (services.isRefusal(steps)) return steps
    const [step] = steps
    if (!step || !('command' in step)) return
    const scheduled = { clients, where, group, command: step.command, params: step.params, when, name }
    const id = await services.schedules.createScheduledCommand(scheduled, request)
    if (services.isRefusal(id)) return id
    request.created(id)
    await services.schedules.warn(id, when, request)
  },
} satisfies Command<typeof payload>
