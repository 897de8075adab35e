// Reads what has changed on a computer, and when nothing was recorded.
import type { Documents, Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { ClientHistory, ClientHistoryRequest, Refusal } from '../contract/services.ts'
import { slices } from '../system/request-slices.ts'
import { type Change, readChanges, startOfDay, withoutRepeats } from './changes.ts'
import { hasBit, readBits, ticksOfHour } from './counts.ts'
import { changesCollection, changesKey, day, listHours, tick } from './history-documents.ts'
import { type Period, readPeriod } from './periods.ts'

/** Days of a period without `from`. */
const usualDays = 7

/** Changes of an answer: the newest ones. */
const mostChanges = 2000

export interface ClientHistoryDeps {
  store: Pick<Store, 'computers'> & { documents: Documents }
}

export async function readClient(
  { store }: ClientHistoryDeps,
  client: string,
  request: ClientHistoryRequest,
  now: number,
): Promise<ClientHistory | Refusal> {
  const period = readPeriod(request, usualDays, now)
  if (isRefusal(period)) return period
  const computer = await store.computers.find(client)
  if (!computer) return refuse(`client: there is no computer ${client}`)
  const known = await readKnown(store.documents, { from: startOfDay(period.from), to: period.to })
  const changes = await changesOf(store.documents, computer.id, { from: startOfDay(period.from), to: known.to })
  return toAnswer(client, { ...known, from: period.from }, changes)
}

interface KnownPeriod extends Period {
  gaps: Period[]
}

/** The gaps between the counts, with each of which the changes before it were stored. The last minutes are no gap. */
async function readKnown(documents: Documents, { from, to }: Period): Promise<KnownPeriod> {
  const gaps: Period[] = []
  let last: number | undefined
  for await (const { start, value } of listHours(documents, from, to)) {
    const { observed, first } = readBits(value)
    for (let at = 0; at < ticksOfHour; at += 1) {
      const time = start + at * tick
      if (time > to || !hasBit(observed, at)) continue
      const isGap = last === undefined ? time > from : hasBit(first, at) || time > last + tick
      if (isGap) gaps.push({ from: last ?? from, to: time })
      last = time
    }
    await slices.pause()
  }
  const isUntilNow = last !== undefined && to - last <= 2 * tick
  if (!isUntilNow) gaps.push({ from: last ?? from, to })
  return { from, to: isUntilNow && last !== undefined ? last : to, gaps }
}

async function changesOf(documents: Documents, id: number, { from, to }: Period): Promise<Change[]> {
  const changes: Change[] = []
  for (let time = from; time <= to; time += day) {
    const document = await documents.find({ ...changesCollection, key: changesKey(time, id) })
    changes.push(...readChanges(document?.value, id, time))
    await slices.pause()
  }
  return changes.filter(({ time }) => time <= to)
}

function toAnswer(client: string, { from, to, gaps }: KnownPeriod, all: readonly Change[]): ClientHistory {
  const ends = gaps.map(gap => gap.to)
  const changes = withoutRepeats(all, ends)
  const before = changes.findLast(({ time }) => time <= from)
  const isKnown = before && !gaps.some(gap => gap.from <= from && from < gap.to)
  const later = changes.filter(({ time }) => time > from)
  const shown = [...(isKnown ? [{ ...before, time: from }] : []), ...later]
  const newest = shown.slice(-mostChanges)
  const start = newest.length < shown.length ? (newest[0]?.time ?? from) : from
  return {
    client,
    from: toText(start),
    to: toText(to),
    changes: newest.map(({ time, state, inUse, user }) => ({
      time: toText(time),
      state,
      in_use: inUse,
      ...(user !== undefined && { user }),
    })),
    gaps: gaps
      .filter(gap => gap.to > start)
      .map(gap => ({ from: toText(Math.max(gap.from, start)), to: toText(gap.to) })),
  }
}

const toText = (time: number) => new Date(time).toISOString()
