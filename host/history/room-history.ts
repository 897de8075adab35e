// Reads the counts of rooms: the mean of each step, by room, by center or of all.
import { groupBy } from '../../stores/rules/group-by.ts'
import type { Documents, Room, Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Rights, RoomsHistory, RoomsHistoryRequest } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'
import { conditions } from './conditions.ts'
import { type Hour, hasBit, readHour, ticksOfHour } from './counts.ts'
import { listHours, tick } from './history-documents.ts'
import { countSteps, type Period, readPeriod, stepOf, stepsOf } from './periods.ts'

/** Numbers of an answer: as JSON they stay within a response; as CSV lines are sent one after the other. */
const mostNumbers = { json: 40_000, csv: 1_000_000 }

/** Keys of a series, in the order of counts. */
const keys = [...conditions, 'failed'] as const

interface Series {
  named: { room?: number; center?: number; name: string }
  rooms: Set<number>
  /** By key, then by step. */
  sums: number[][]
}

export interface RoomHistoryDeps {
  store: Pick<Store, 'rooms' | 'scopes'> & { documents: Documents }
}

export async function readRooms(
  { store }: RoomHistoryDeps,
  request: RoomsHistoryRequest,
  rights: Rights,
  now: number,
): Promise<RoomsHistory | Refusal> {
  const period = readPeriod(request, 1, now)
  if (isRefusal(period)) return period
  const rooms = await chooseRooms(store, request, rights)
  if (isRefusal(rooms)) return rooms
  const { step = stepOf(period), format = 'json' } = request
  const series = await groupRooms(store, rooms, request.by)
  const numbers = Math.ceil(countSteps(period, step)) * (1 + series.length) * keys.length
  if (numbers > mostNumbers[format])
    return refuse(
      `expected at most ${mostNumbers[format]} numbers, got ${numbers}: ask for a longer step, fewer rooms, or by=center`,
    )
  const steps = stepsOf(period, step)
  for (const each of series) each.sums = keys.map(() => new Array(steps.length).fill(0))
  const samples = await addUp(store.documents, series, steps, period)
  return {
    step,
    times: steps.map(time => new Date(time).toISOString()),
    samples,
    series: series.map(each => toAnswer(each, samples)),
  }
}

/** Those that the caller may read, of which all computers are within the rights. */
async function chooseRooms(store: RoomHistoryDeps['store'], { room, center }: RoomsHistoryRequest, rights: Rights) {
  if (room !== undefined && !rights.hasRoom(Number(room))) return refuse(`room: ${room} is not one of yours`, 403)
  if (center !== undefined && !rights.reachesCenter(Number(center)))
    return refuse(`center: ${center} is not one of yours`, 403)
  if (center !== undefined && !(await store.scopes()).some(({ id }) => id === Number(center)))
    return refuse(`center: there is no center ${center}`)
  const rooms = (await store.rooms.list()).filter(({ id }) => rights.hasRoom(id))
  const chosen = rooms.filter(
    each =>
      (room === undefined || each.id === Number(room)) && (center === undefined || each.center === Number(center)),
  )
  if (room !== undefined && chosen.length === 0) return refuse(`room: there is no room ${room}`)
  return chosen
}

async function groupRooms(
  store: RoomHistoryDeps['store'],
  rooms: readonly Room[],
  by: RoomsHistoryRequest['by'] = 'room',
): Promise<Series[]> {
  const idsOf = (those: readonly Room[]) => new Set(those.map(({ id }) => id))
  if (by === 'all') return [{ named: { name: '' }, rooms: idsOf(rooms), sums: [] }]
  if (by === 'room')
    return rooms.map(room => ({
      named: { room: room.id, center: room.center, name: room.name },
      rooms: idsOf([room]),
      sums: [],
    }))
  const names = new Map((await store.scopes()).map(({ id, name }) => [id, name]))
  return Array.from(
    groupBy(rooms, ({ center }) => center),
    ([center, those]) => ({ named: { center, name: names.get(center) ?? '' }, rooms: idsOf(those), sums: [] }),
  )
}

/** Adds all counts of the period to the series; how many counts each step has. */
async function addUp(documents: Documents, series: readonly Series[], steps: readonly number[], { from, to }: Period) {
  const samples = new Array<number>(steps.length).fill(0)
  let step = 0
  const [first = from] = steps
  for await (const { start, value } of listHours(documents, first, to)) {
    const hour = readHour(value)
    for (let at = 0; at < ticksOfHour; at += 1) {
      const time = start + at * tick
      if (time < first || time >= to || !hasBit(hour.observed, at)) continue
      while ((steps[step + 1] ?? Number.POSITIVE_INFINITY) <= time) step += 1
      samples[step] = (samples[step] ?? 0) + 1
      for (const each of series) addTick(each, hour, at, step)
    }
    await slices.pause()
  }
  return samples
}

function addTick({ rooms, sums }: Series, hour: Hour, at: number, step: number): void {
  for (const room of rooms) {
    const counts = hour.rooms.get(room)?.[at] ?? []
    for (const [index, count] of counts.entries()) {
      const sum = sums[index]
      if (sum) sum[step] = (sum[step] ?? 0) + count
    }
  }
}

function toAnswer({ named, sums }: Series, samples: readonly number[]): RoomsHistory['series'][number] {
  const [free = [], in_use = [], busy = [], waking = [], off = [], failed = []] = sums.map(sum =>
    sum.map((value, step) => meanOf(value, samples[step] ?? 0)),
  )
  return { ...named, free, in_use, busy, waking, off, failed }
}

const meanOf = (sum: number, count: number) => (count === 0 ? null : Math.round((sum / count) * 10) / 10)
