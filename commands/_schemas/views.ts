// The schemas of views, in answers and in questions.
import { oneAddress } from './computer-fields.ts'
import { address, described, flag, integer, like, list, number, object, text, time } from './objects.ts'

export const viewKind = { enum: ['computer', 'client-badge', 'overview', 'page', 'chart'] } as const

const tone = { enum: ['good', 'warning', 'bad', 'neutral'] } as const
const value = { type: ['string', 'number'], examples: ['31 % worn'] } as const
const cell = { type: ['string', 'number', 'boolean', 'null'] } as const
const title = described(text, 'the heading where it is drawn', 'Disk health')
const points = list(object({ time, value: { type: 'number', examples: [21.5] } as const }))

/** `form`: its name in the API reference. */
const answer = <const Kind extends string, const Keys extends Record<string, object>>(
  view: Kind,
  form: string,
  keys: Keys,
) => ({ ...object({ view: { enum: [view] } as const, title, ...keys }), title: form })

const card = answer('computer', 'Card of a computer', {
  lines: list(object({ label: like(text, 'sda'), value, 'tone?': tone })),
})

const badges = answer('client-badge', 'Marks of computers', {
  badges: list(object({ client: address, text: like(text, 'hot'), 'tone?': tone, 'title?': like(text, '41 °C') })),
})

const overview = answer('overview', 'Figure', {
  'figure?': object({ value, 'unit?': like(text, '°C'), 'tone?': tone, 'points?': points }),
})

const action = object({
  title: like(text, 'Delete'),
  route: like(text, 'POST /rule/delete'),
  destructive: described(flag, 'programs should ask before they send it', true),
  payload: like({ type: 'object' } as const, { now: true }),
  row_keys: described(list(text), "the payload has the row's values of these keys", ['name']),
  'form?': described({ enum: ['row', 'page'] } as const, 'other keys are asked for: of a row, or without one', 'page'),
})

const page = answer('page', 'Page', {
  columns: list(
    object({
      key: like(text, 'name'),
      title: like(text, 'Name'),
      'type?': { enum: ['text', 'number', 'time'] } as const,
    }),
  ),
  rows: list({ type: 'object', additionalProperties: cell, examples: [{ name: 'Restores' }] } as const),
  'next?': described(text, 'for `after` of the following page; absent on the last one', 'Restores'),
  actions: described(list(action), 'what the caller may send for a row'),
})

const chart = answer('chart', 'Chart', {
  'unit?': like(text, '°C'),
  'gap?': described(number, 'milliseconds: points that are farther apart are not joined', 5_400_000),
  from: time,
  until: time,
  series: list(object({ title: like(text, 'Room 1'), points })),
})

export const viewAnswer = { anyOf: [card, badges, overview, page, chart] } as const

export const viewEntry = object({
  name: described(text, 'for `GET /view/<name>`', 'disk-health'),
  pack: like(text, 'disks'),
  view: { ...viewKind, description: 'what it is, and where the console draws it' },
  title,
  summary: like(text, 'Disk health'),
  state: { enum: ['ready', 'failing'], description: 'failing: it could not answer when it was asked last' } as const,
  'problem?': described(text, 'why it could not'),
  runs: described(integer, 'how often it was asked since the start of this host', 12),
  failures: described(integer, 'of these', 0),
  'mean_ms?': described(number, 'busy time of the event loop in a question of the last hour', 0.4),
  'longest_ms?': described(number, 'the longest of these', 3.1),
})

const isoTime = (meaning: string) => described(text, `an ISO time; ${meaning}`, '2026-09-14T08:00:00.000Z')

export const viewQuestion = object({
  'client?': { ...oneAddress, description: 'of a view of one computer: its address' } as const,
  'clients?': { $ref: 'clients', description: 'of marks: only of these; default: of all computers' } as const,
  'query?': { type: 'string', maxLength: 1000, description: 'of a page: what was searched for' } as const,
  'after?': { type: 'string', maxLength: 1000, description: 'of a page: `next` of the page before' } as const,
  'from?': isoTime('of a chart: its beginning'),
  'length?': { ...integer, minimum: 1, description: 'of a chart: its seconds, without from; default: a day' } as const,
  'until?': { ...isoTime('of a chart: its end, by default now'), examples: ['2026-09-15T08:00:00.000Z'] } as const,
  'step?': { ...integer, minimum: 1, description: 'of a chart: seconds between points' } as const,
})
