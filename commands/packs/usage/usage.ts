// Answers how much the rooms were used, by hours, days or months: as JSON, or as CSV.
import type { CommandOf, Services } from 'fleet-host'
import { dayOf, startOfDay } from './_usage-hours.ts'
import { mayRead, readSlots, roomNames, rowOf, type Slot, type UsageRow, usageRow } from './_usage-rows.ts'
import type pack from './pack.ts'

const day = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', expected: 'a day such as 2026-03-02' } as const

const query = {
  type: 'object',
  properties: {
    room: { type: 'string', pattern: '^[0-9]{1,9}$', description: 'id of a room; default: all of the caller' },
    from: { ...day, description: 'the first day; default: the first one of this month', examples: ['2026-03-01'] },
    to: { ...day, description: 'the last day; default: today', examples: ['2026-03-31'] },
    by: { enum: ['hour', 'day', 'month'], description: 'default: day', examples: ['month'] },
    after: { type: 'string', pattern: '^[0-9]{1,9}$', description: '`next` of the page before' },
    format: { enum: ['json', 'csv'], description: '`csv`: all pages as CSV' },
  },
} as const

const returns = {
  type: 'object',
  required: ['usage'],
  properties: {
    usage: { type: 'array', items: usageRow },
    next: { type: 'string', description: 'for `after`, when more follow', examples: ['500'] },
  },
} as const

/** Rows of a page: so that it stays within the limit of responses. */
const pageSize = 500
/** By hours. */
const mostDays = 92
const dayMilliseconds = 86_400_000

export default {
  summary: 'Read how much the rooms were used',
  group: 'Usage',
  route: 'GET /usage',
  returns,
  scoped: true,
  heavy: true,
  query,
  async answer({ request: { query, rights }, ...context }) {
    const { services } = context
    const today = dayOf(services.now())
    const { room, from = `${today.slice(0, 7)}-01`, to = today, by = 'day', after = '0', format } = query
    const period = { from: startOfDay(from), until: startOfDay(to, 1) }
    if (!(period.from < period.until))
      return services.refuse(`from, to: expected days in their order, got ${from}, ${to}`)
    if (by === 'hour' && period.until - period.from > mostDays * dayMilliseconds + dayMilliseconds / 2)
      return services.refuse(`from, to: expected at most ${mostDays} days by hour, got more`)
    const isMine = mayRead(rights)
    if (room !== undefined && !isMine(Number(room))) return services.refuse(`room: ${room} is not one of yours`, 403)
    const slots = await readSlots(context, period, by, id => (room === undefined || id === Number(room)) && isMine(id))
    const nameOf = await roomNames(services)
    const read = (slot: Slot) => rowOf(slot, nameOf(slot.room), context)
    if (format === 'csv') return services.text('text/csv; charset=utf-8', csvOf(slots, read, services))
    const start = Number(after)
    const end = start + pageSize
    return { usage: slots.slice(start, end).map(read), ...(end < slots.length && { next: String(end) }) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns; pack: typeof pack }>

async function* csvOf(slots: readonly Slot[], read: (slot: Slot) => UsageRow, { csvRecord, slices }: Services) {
  const columns = Object.keys(usageRow.properties)
  yield csvRecord(columns)
  for (let start = 0; start < slots.length; start += pageSize) {
    const lines = slots.slice(start, start + pageSize).map(slot => {
      const values = new Map(Object.entries(read(slot)))
      return csvRecord(columns.map(column => String(values.get(column) ?? '')))
    })
    yield lines.join('')
    await slices.pause()
  }
}
