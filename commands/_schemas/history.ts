// The schemas of what has been: counts of rooms, and changes of a computer.
import { address, described, flag, integer, like, list, object, text, time } from './objects.ts'

const from = described(text, 'ISO time or day (UTC); default: a day before `to`, of a computer seven', '2026-09-14')
const to = described(text, 'ISO time or day (UTC), not included; default: now', '2026-09-15')
const format = { enum: ['json', 'csv'], description: '`csv`: as CSV' } as const
const id = (what: string) => ({ type: 'string', pattern: '^[0-9]{1,9}$', description: what, examples: ['1'] }) as const

export const roomsQuery = object({
  'room?': id('id of a room: only this one'),
  'center?': id('id of a center: only its rooms'),
  'by?': {
    enum: ['room', 'center', 'all'],
    description: 'a series for each room, for each center, or one for all; default: room',
    examples: ['center'],
  },
  'from?': from,
  'to?': to,
  'step?': {
    enum: ['5min', 'hour', 'day'],
    description:
      'what one value stands for; a day is one in the time zone of the daemon; default: 5min for two days at most, hour for 62',
    examples: ['hour'],
  },
  'format?': format,
} as const)

const values = (what: string, ...example: number[]) =>
  described(list({ type: ['number', 'null'] } as const), what, example)

const seriesKeys = {
  free: values('nobody is logged in', 18, 16.5),
  in_use: values('somebody is logged in', 4, 5.5),
  busy: values('a command runs', 0, 1),
  waking: values('woken, not connected yet', 0, 0),
  off: values('not connected', 2, 1),
  failed: values('with a failure that nobody has seen, whatever they are besides', 1, 1),
}

export const roomsHistory = object({
  step: { enum: ['5min', 'hour', 'day'] } as const,
  times: described(list(time), 'when each step begins'),
  samples: described(list(integer), 'of how many counts the values of a step are the mean; 0: a gap', [12, 12]),
  series: list(
    object({
      'room?': described(integer, 'its id', 1),
      'center?': described(integer, 'id of the center', 1),
      name: described(text, 'of the room or center; empty: of all', 'Room 1'),
      ...seriesKeys,
    }),
    'a value for each time: mean numbers of computers; null: a gap',
  ),
})

export const clientQuery = object({ 'from?': from, 'to?': to, 'format?': format })

const states = ['off', 'waking', 'busy', 'oglive', 'linux', 'windows', 'virtual'] as const

export const clientHistory = object({
  client: address,
  from: time,
  to: described(time, 'until when it is known'),
  changes: list(
    object({
      time,
      state: { enum: states, description: 'from then on', examples: ['linux'] } as const,
      in_use: described(flag, 'somebody is logged in', true),
      'user?': like(described(text, 'who, with the option `history.users`'), 'anna'),
    }),
    'the oldest first; the first one is what it was at the beginning, if that is known',
  ),
  gaps: list(object({ from: time, to: time }), 'in which nothing was recorded'),
})
