// Lists schedules with what they run, which `schedule/get` does not say.
import type { CommandOf } from 'fleet-host'
import { firing } from './_schemas/firings.ts'
import { foundTargets, targetWords } from './_schemas/groups.ts'
import { address, described, integer, like, list, object, text, time } from './_schemas/objects.ts'
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
  'for?': described(targetWords, 'whom it is for; absent when what it runs does not exist'),
  'missing?': described(
    list(like(text, 'image win11')),
    'what it names that is not there any more, so that it will fail; of those that fire again',
  ),
  'last?': described(firing, 'how it went the last time'),
  'next?': described(list(time), 'with `?next=`: when it fires next; empty while it is suspended'),
  by: described(text, 'who made or changed it, with whose rights it runs', 'token lab'),
  'plan?': described(
    object({ task: integer, procedure: integer }),
    'ids of what was made with it, such as by a planned restore, and is deleted with it',
  ),
  'scheduled?': described(scheduled, 'of type command: what `schedule/command` has stored'),
})

const query = object({
  'next?': {
    type: 'string',
    pattern: '^[1-9]$',
    expected: '1 to 9',
    description: 'How many of the next times to say of each',
    examples: ['5'],
  },
})

const returns = object({ schedules: list(schedule) })

export default {
  summary: 'List schedules with what they run',
  group: 'Schedules',
  route: 'GET /schedules',
  scoped: true,
  returns,
  query,
  async answer({ services, request }) {
    const { store } = services
    const count = Number(request.query.next ?? 0)
    const [schedules, wordsOf] = [await services.schedules.list(request), await services.search.describer(request)]
    const last = new Map(
      (await services.schedules.firings({ newest: true }, request)).map(each => [each.schedule, each]),
    )
    const missing = await services.schedules.missing(schedules)
    const [tasks, procedures] = [await store.tasks.list(), await store.procedures.list()]
    return {
      schedules: await Promise.all(
        schedules.map(async schedule => {
          const { id, type, task, name, suspended, since, by: account, plan, ...when } = schedule
          const next = count === 0 ? undefined : services.schedules.timesOf(schedule, count)
          const by = services.access.rightsOf(account)?.name ?? account
          const command = type === 'command' ? await store.schedules.findScheduledCommand(task) : undefined
          const found = { last: last.get(id), missing: missing.get(id), next }
          const entry = { id, type, task, name, when, suspended, by, plan, ...found }
          if (command) {
            const { id: _, ...scheduled } = command
            return { ...entry, for: wordsOf({ center: 0, ...scheduled }), scheduled }
          }
          const target = (type === 'task' ? tasks : procedures).find(row => type !== 'command' && row.id === task)
          return target ? { ...entry, for: wordsOf(target) } : entry
        }),
      ),
    }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
