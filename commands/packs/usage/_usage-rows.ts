// Reads what was counted as rows: one for each room and hour, day or month.
import type { FromSchema, Rights, Services } from 'fleet-host'
import { addCounts, kwhOf } from './_usage-counts.ts'
import { between, dayOf, hourOf, hourSeconds, lastDay, startOfDay, startOfHour } from './_usage-hours.ts'
import type { Context, Counts } from './_usage-schemas.ts'

export type Step = 'hour' | 'day' | 'month'

/** Times in milliseconds since 1970. */
export interface Period {
  from: number
  until: number
}

/** What was counted of a room in one step of the time. `observed`: seconds; the rest of the step is a gap. */
export interface Slot {
  /** ISO time of an hour, `2026-03-02`, or `2026-03`. */
  time: string
  room: number
  observed: number
  counts: Counts
}

const text = (description: string, example: string) => ({ type: 'string', description, examples: [example] }) as const
const number = (description: string, example: number) => ({ type: 'number', description, examples: [example] }) as const
const hours = (description: string, example: number) =>
  number(`hours of all computers together: ${description}`, example)

export const usageRow = {
  type: 'object',
  required: [
    ...(['time', 'room', 'name', 'computers', 'observed', 'on', 'in_use', 'live', 'linux', 'windows'] as const),
    ...(['virtual', 'logins', 'boots', 'failures', 'kwh'] as const),
  ],
  properties: {
    time: text(
      'when it begins: of an hour an ISO time, of a day and a month in the time zone of the daemon',
      '2026-03',
    ),
    room: { type: 'integer', description: 'its id', examples: [1] },
    name: text('of the room', 'Lab 1'),
    computers: number('how many the room had, on average', 20),
    observed: number('hours that were counted; the rest is a gap of which nothing is known', 744),
    on: hours('on', 3120.5),
    in_use: hours('somebody was logged in', 2210.25),
    live: hours('the live system', 20.25),
    linux: hours('Linux', 1900),
    windows: hours('Windows', 1200.25),
    virtual: hours('a virtual desktop', 0),
    logins: number('log-ins', 1530),
    boots: number('boots', 1210),
    failures: number('commands that have failed on a computer', 3),
    kwh: number('energy by the watts in the settings, without gaps', 241.8),
  },
} as const

export type UsageRow = FromSchema<typeof usageRow>

/** The times that are stored, in their order. */
async function* storedTimes(context: Context, { from, until }: Period, by: Step) {
  const { days, hours } = context.collections
  let start = from
  if (by !== 'hour') {
    const last = await lastDay(context)
    const next = last === '' ? from : startOfDay(last, 1)
    for await (const { key, value } of between(days, dayOf(from), dayOf(Math.min(until, next)))) {
      const [day = ''] = key.split('/')
      yield { time: by === 'day' ? day : day.slice(0, 7), ...value }
    }
    start = Math.max(from, next)
  }
  for await (const { key, value } of between(hours, hourOf(start), hourOf(until + hourSeconds * 1000 - 1))) {
    const [hour = ''] = key.split('/')
    const day = dayOf(startOfHour(hour))
    const time = by === 'hour' ? new Date(startOfHour(hour)).toISOString() : by === 'day' ? day : day.slice(0, 7)
    yield { time, observed: value.observed, rooms: value.rooms }
  }
}

/** In the order of the times. */
export async function readSlots(
  context: Context,
  period: Period,
  by: Step,
  isShown: (room: number) => boolean,
): Promise<Slot[]> {
  const slots = new Map<string, Slot>()
  for await (const { time, observed, rooms } of storedTimes(context, period, by)) {
    for (const [id, counts] of Object.entries(rooms)) {
      const room = Number(id)
      if (!isShown(room)) continue
      const slot = slots.get(`${time} ${room}`) ?? { time, room, observed: 0, counts: {} }
      slot.observed += observed
      addCounts(slot.counts, counts)
      slots.set(`${time} ${room}`, slot)
    }
    await context.services.slices.pause()
  }
  return [...slots.values()]
}

/** Of other rooms nobody sees anything: what was counted of a room is that of all its computers. */
export const mayRead = (rights: Rights) => (room: number) => rights.hasRoom(room)

export async function roomNames({ store }: Pick<Services, 'store'>): Promise<(room: number) => string> {
  const names = new Map((await store.rooms.list()).map(({ id, name }) => [id, name]))
  return room => names.get(room) ?? `deleted room ${room}`
}

const rounded = (value: number) => Math.round(value * 100) / 100
const inHours = (seconds = 0) => rounded(seconds / hourSeconds)

export function rowOf({ time, room, observed, counts }: Slot, name: string, { settings }: Context): UsageRow {
  const { has = 0, on, use, live, linux, windows, virtual, logins = 0, boots = 0, failures = 0 } = counts
  return {
    time,
    room,
    name,
    computers: observed === 0 ? 0 : rounded(has / observed),
    observed: inHours(observed),
    on: inHours(on),
    in_use: inHours(use),
    live: inHours(live),
    linux: inHours(linux),
    windows: inHours(windows),
    virtual: inHours(virtual),
    logins,
    boots,
    failures,
    kwh: rounded(kwhOf(room, counts, settings)),
  }
}

/** The part of the time of all its computers in which somebody was logged in. */
export const percentUsed = ({ has = 0, use = 0 }: Counts): number =>
  has === 0 ? 0 : Math.round((use / has) * 1000) / 10
