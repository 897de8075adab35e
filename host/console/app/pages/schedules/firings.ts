// When the schedules fire next, as the daemon says it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { NextTimesAnswer, ScheduleAnswer } from '../../../../contract/answers.ts'
import { get } from '../../api/request.ts'

/** A schedule has at most twelve hours a day. */
const mostPerWeek = 7 * 12
/** What `GET /schedule/next` gives at most. */
const mostTimes = 999
/** Milliseconds until the page looks again: a timer cannot wait longer than 24 days. */
const longestWait = 3_600_000

/** By the ids of the schedules, for so many weeks from now on; read again when one has fired. */
export function useFirings(
  schedules: readonly ScheduleAnswer[],
  weeks: number,
): { firings: ReadonlyMap<number, readonly Date[]>; isComplete: boolean } {
  const firings = useSignal<ReadonlyMap<number, readonly Date[]>>(new Map())
  const isComplete = useSignal(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCurrent = true
    const read = async () => {
      const count = Math.min(mostTimes, mostPerWeek * weeks)
      const entries = await Promise.all(schedules.map(async ({ id }) => [id, await nextTimes(id, count)] as const))
      if (!isCurrent) return
      firings.value = new Map(entries)
      isComplete.value = true
      const next = Math.min(...entries.flatMap(([, [first]]) => (first ? [first.getTime()] : [])))
      const wait = Math.min(longestWait, Math.max(1_000, next - Date.now() + 1_000))
      timer = setTimeout(() => void read(), wait)
    }
    void read()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [schedules, weeks])
  return { firings: firings.value, isComplete: isComplete.value }
}

async function nextTimes(id: number, count: number): Promise<Date[]> {
  const { value } = await get<NextTimesAnswer>(`/schedule/next?id=${id}&count=${count}`)
  return value?.next.map(time => new Date(time)) ?? []
}
