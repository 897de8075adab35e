// Reads when a computer was on and in use.
import type { CommandOf } from 'fleet-host'
import { clientQuery as query, clientHistory as returns } from './_schemas/history.ts'
import { object } from './_schemas/objects.ts'

const payload = object({ client: { $ref: 'client' } })

export default {
  summary: 'Read when a computer was on and in use',
  group: 'History',
  route: 'GET /history/client',
  returns,
  heavy: true,
  payload,
  query,
  async answer({ payload, services, request }) {
    const [client = ''] = payload.client
    const history = await services.history.client(client, request.query)
    if (services.isRefusal(history) || request.query.format !== 'csv') return history
    const lines = history.changes.map(({ time, state, in_use, user }) =>
      services.csvRecord([time, state, in_use ? 'yes' : 'no', user]),
    )
    const gaps = history.gaps.map(({ from }) => services.csvRecord([from, 'unknown', undefined, undefined]))
    // ISO times sort as texts.
    const all = [...lines, ...gaps].sort()
    return services.text(
      'text/csv; charset=utf-8',
      [services.csvRecord(['time', 'state', 'in_use', 'user']), ...all].join(''),
    )
  },
} satisfies CommandOf<{ payload: typeof payload; query: typeof query; returns: typeof returns }>
