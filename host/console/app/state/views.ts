// The views of modules that the caller may see, and what they answer: it is asked again while the page is shown.
import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ViewAnswer, ViewEntry, ViewsAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { onEvents, onMissingEvents, readAgain } from './events.ts'
import { type Resource, useResource } from './resource.ts'

export const views = signal<readonly ViewEntry[]>([])

/** Those with a page of their own, which the navigation has. */
export const viewPages = computed(() => views.value.filter(({ view }) => view === 'page' || view === 'chart'))

/** Milliseconds between two questions to one view. */
export const viewPeriod = 10_000
/** After a view that could not answer. */
export const failedPeriod = 60_000

export const viewPath = (name: string): string => `/view/${name.split('/').map(encodeURIComponent).join('/')}`

/** What a view answers, again every ten seconds. The kind is that of the list. */
export function useView<Kind extends ViewEntry['view']>(path: string): Resource<ViewAnswer<Kind>> {
  const resource = useResource<ViewAnswer<Kind>>(path, ({ type }) => type === 'modules-changed')
  useRepeated(resource)
  return resource
}

/** Reads the resource again while the page is shown; `period` in milliseconds. */
export function useRepeated<Value>(resource: Resource<Value>, period = viewPeriod): void {
  useEffect(() => {
    let asked = Date.now()
    const timer = setInterval(() => {
      const isDue = resource.problem.peek() === '' || Date.now() - asked >= failedPeriod
      if (document.hidden || !isDue) return
      asked = Date.now()
      void resource.reload()
    }, period)
    return () => clearInterval(timer)
  }, [resource, period])
}

/** Milliseconds in which changes of modules are gathered. */
const gatherTime = 150
let timer: ReturnType<typeof setTimeout> | undefined

async function read(): Promise<void> {
  timer = undefined
  const { status, value } = await get<ViewsAnswer>('/views')
  if (status === 0) readAgain(readLater)
  if (value && JSON.stringify(value.views) !== JSON.stringify(views.peek())) views.value = value.views
}

export function readLater(): void {
  if (timer === undefined) timer = setTimeout(() => void read(), gatherTime)
}

onMissingEvents(readLater)
onEvents(({ type }) => {
  if (type === 'modules-changed') readLater()
})
