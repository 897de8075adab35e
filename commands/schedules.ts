// Lists schedules with what they run, which `schedule/get` does not say.
import type { CommandOf } from 'fleet-host'
import { foundTargets } from './_schemas/groups.ts'
import { address, described, integer, like, list, object, text } from './_schemas/objects.ts'
import { whenFields } from './_schemas/tasks.ts'

const scheduled = object({
  clients: list(address),
  ...foundTargets,
  command: like(text, 'poweroff'),
  params: described({ type: 'object' }, 'its payload without `clients`', {}),
})
const schedule = object({
  id: like(integer, 1),
  type: { enum: ['task', 'procedure', 'command'], examples: ['task'] },
  task: described(integer, 'id of the task, procedure or scheduled command', 1),
  name: like(text, 'Every evening'),
  when: object(whenFields),
  suspended: { enum: [0, 1], description: '1: it does not fire', examples: [0] },
  'scheduled?': described(scheduled, 'of type command: what `schedule/command` has stored'),
})

const returns = object({ schedules: list(schedule) })

export default {
  summary: 'List schedules with what they run',
  group: 'Schedules',
  route: 'GET /schedules',
  scoped: true,
  returns,
  async answer({ services, request }) {
    const schedules = await services.schedules.list(request)
    return {
      schedules: await Promise.all(
        schedules.map(async ({ id, type, task, name, suspended, since, by, plan, ...when }) => {
          const command = type === 'command' ? await services.store.schedules.findScheduledCommand(task) : undefined
          const entry = { id, type, task, name, when, suspended }
          if (!command) return entry
          const { id: _, ...scheduled } = command
          return { ...entry, scheduled }
        }),
      ),
    }
  },
} satisfies CommandOf<{ returns: typeof returns }>
