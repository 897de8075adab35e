// The marks that views give computers: each view is asked once for all of them.
import { effect, signal } from '@preact/signals'
import type { ViewAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { groupBy } from '../parts/group-by.ts'
import { failedPeriod, viewPath, viewPeriod, views } from './views.ts'

export type Badge = ViewAnswer<'client-badge'>['badges'][number]

export const noBadges: readonly Badge[] = []

/** By address, those of all views in the order of their names. */
export const badges = signal<ReadonlyMap<string, readonly Badge[]>>(new Map())

interface Asked {
  marks: readonly Badge[]
  /** Milliseconds since the page was loaded. */
  due: number
}

/** By the names of views. */
const asked = new Map<string, Asked>()
let shown = ''

async function ask(): Promise<void> {
  if (document.hidden) return
  const names = views.peek().flatMap(({ view, name }) => (view === 'client-badge' ? name : []))
  for (const name of asked.keys()) if (!names.includes(name)) asked.delete(name)
  const now = performance.now()
  await Promise.all(names.filter(name => (asked.get(name)?.due ?? 0) <= now).map(askOne))
  show()
}

async function askOne(name: string): Promise<void> {
  const before = asked.get(name)?.marks ?? noBadges
  // Another question meanwhile would be one too many.
  asked.set(name, { marks: before, due: Number.POSITIVE_INFINITY })
  const { ok, status, value } = await get<ViewAnswer<'client-badge'>>(viewPath(name))
  // Without a connection what is known stays.
  const marks = ok ? (value?.badges ?? noBadges) : status === 0 ? before : noBadges
  asked.set(name, { marks, due: performance.now() + (ok || status === 0 ? viewPeriod : failedPeriod) })
}

function show(): void {
  const marks = [...asked].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, each]) => each.marks)
  const text = JSON.stringify(marks)
  if (text === shown) return
  shown = text
  badges.value = groupBy(marks, ({ client }) => client)
}

effect(() => {
  // Also when there are none any more.
  if (views.value.some(({ view }) => view === 'client-badge') || asked.size > 0) void ask()
})
setInterval(() => void ask(), 1000)
document.addEventListener('visibilitychange', () => void ask())
