// Previews the next times at which a schedule fires.
import type { CommandOf } from 'fleet-host'
import { list, object, time } from './_schemas/objects.ts'

const query = object({
  id: { type: 'string', pattern: '^\\d+$', expected: 'digits', description: 'Id of the schedule', examples: ['1'] },
  'count?': {
    type: 'string',
    pattern: '^[1-9]\\d{0,2}$',
    expected: '1 to 999',
    description: 'How many times, 10 by default',
    examples: ['3'],
  },
})

const returns = object({ next: list(time, 'empty for a schedule that never fires again') })

export default {
  summary: 'Preview the next times of a schedule: ?id=&count=',
  group: 'Schedules',
  route: 'GET /schedule/next',
  returns,
  scoped: true,
  query,
  async answer({ services, request }) {
    const { id, count = 10 } = request.query
    const next = await services.schedules.next(Number(id), Number(count), request)
    return services.isRefusal(next) ? next : { next }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
