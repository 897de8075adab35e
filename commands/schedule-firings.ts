// Lists how the firings of schedules went.
import type { CommandOf } from 'fleet-host'
import { firing } from './_schemas/firings.ts'
import { list, object } from './_schemas/objects.ts'

const query = object({
  'id?': {
    type: 'string',
    pattern: '^\\d+$',
    expected: 'digits',
    description: 'Only of this schedule',
    examples: ['1'],
  },
  'since?': {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?Z$',
    expected: 'an ISO time in UTC',
    description: 'Only those that were due from then on',
    examples: ['2026-11-23T17:00:00Z'],
  },
})

const returns = object({ firings: list(firing, 'the newest first: the last 30 of each schedule, of 30 days') })

export default {
  summary: 'List how the firings of schedules went',
  group: 'Schedules',
  route: 'GET /schedule/firings',
  heavy: true,
  scoped: true,
  query,
  returns,
  async answer({ services, request }) {
    const { id, since } = request.query
    const filter = { id: id === undefined ? id : Number(id), since: since === undefined ? since : Date.parse(since) }
    return { firings: await services.schedules.firings(filter, request) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
