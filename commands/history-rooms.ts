// Reads how many computers of rooms were free, in use, busy and off.
import type { CommandOf, RoomsHistory, Services } from 'fleet-host'
import { roomsQuery as query, roomsHistory as returns } from './_schemas/history.ts'

export default {
  summary: 'Read how many computers of rooms were free, in use and off',
  group: 'History',
  route: 'GET /history/rooms',
  returns,
  scoped: true,
  heavy: true,
  query,
  async answer({ services, request }) {
    const history = await services.history.rooms(request.query, request.rights)
    if (services.isRefusal(history) || request.query.format !== 'csv') return history
    return services.text('text/csv; charset=utf-8', csvOf(history, services))
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>

const conditions = ['free', 'in_use', 'busy', 'waking', 'off', 'failed'] as const

/** A line for each time of each series, without those of gaps. */
async function* csvOf({ times, samples, series }: RoomsHistory, { csvRecord, slices }: Services) {
  yield csvRecord(['time', 'room', 'center', 'name', 'samples', ...conditions])
  for (const { room, center, name, ...values } of series) {
    const lines = times.map((time, at) => {
      if (!samples[at]) return ''
      const numbers = [samples[at], ...conditions.map(key => values[key][at])]
      return csvRecord([time, text(room), text(center), name, ...numbers.map(text)])
    })
    yield lines.join('')
    await slices.pause()
  }
}

const text = (value: number | null | undefined) => (typeof value === 'number' ? String(value) : undefined)
