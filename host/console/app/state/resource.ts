// An answer of the API that a page shows: read when the page opens, and again when events or the user ask for it.
import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { JobsAnswer } from '../../../contract/answers.ts'
import type { ChangedList, StreamEvent } from '../../../contract/fleet-events.ts'
import { get } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { dropRead, onEvents, onMissingEvents, readAgain } from './events.ts'

export interface Resource<Value> {
  /** Undefined until the first answer. */
  value: Signal<Value | undefined>
  /** Why it could not be read, '' when it could. */
  problem: Signal<string>
  reload(): Promise<void>
}

/** Milliseconds in which events are gathered before the answer is read again. */
const gatherTime = 200

/**
 * `path` is read at once and whenever it changes; an event for which `concerns` is true, or how long such events are
 * gathered, reads it again, as does a stream that has missed events.
 */
export function useResource<Value>(path: string, concerns?: (event: StreamEvent) => boolean | number): Resource<Value> {
  const resource = useMemo(() => createResource<Value>(path), [path])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let due = Number.POSITIVE_INFINITY
    const reload = () => {
      due = Number.POSITIVE_INFINITY
      void resource.reload()
    }
    const later = (wait: number) => {
      const time = performance.now() + wait
      if (time >= due) return
      due = time
      clearTimeout(timer)
      timer = setTimeout(reload, wait)
    }
    void resource.reload()
    const offMissing = onMissingEvents(() => later(gatherTime))
    const offEvents = onEvents(event => {
      const wait = concerns?.(event)
      if (wait) later(wait === true ? gatherTime : wait)
    })
    return () => {
      clearTimeout(timer)
      dropRead(resource.reload)
      offMissing()
      offEvents()
    }
  }, [resource])
  return resource
}

/** Whether an event says that one of these lists has changed. */
export const ofLists =
  (...lists: ChangedList[]) =>
  (event: StreamEvent): boolean =>
    event.type === 'list-changed' && lists.includes(event.list)

/** Whether an event says that a record has changed. */
export const ofRecords = ({ type }: StreamEvent): boolean => /-(added|changed|removed)$/.test(type)

/** Milliseconds in which the ends of single parts are gathered: a list of jobs is longer than these events. */
const partPeriod = 1000

/** A list of jobs with their counts. */
export const useJobList = (path: string): Resource<JobsAnswer> =>
  useResource(path, ({ type }) =>
    type === 'job-part' ? partPeriod : type === 'job-created' || type === 'job-finished',
  )

function createResource<Value>(path: string): Resource<Value> {
  const value = signal<Value | undefined>(undefined)
  const problem = signal('')
  let newest = 0
  const reload = async () => {
    newest += 1
    const number = newest
    const reply = await get<Value>(path)
    // An answer that comes after a newer one was asked for is older than that.
    if (number !== newest) return
    if (reply.ok) value.value = reply.value
    if (reply.status === 0) readAgain(reload)
    problem.value = reply.ok ? '' : reply.reason || t('notice.unreachable')
  }
  return { value, problem, reload }
}
