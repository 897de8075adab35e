// What the scripts of a job have printed: read for one client at a time, as the API returns them.
import { type Signal, signal } from '@preact/signals'
import type { JobDetails } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import type { JobView, PartView } from './jobs.ts'

/** `dropped`: no longer stored. `failed`: could not be read. */
export type Output = { text: string } | 'dropped' | 'failed'

export interface JobOutputs {
  /** By the key of the part; a new map whenever more were read. */
  readonly read: Signal<ReadonlyMap<string, Output>>
  readonly isReading: Signal<boolean>
  /** Reads those that have ended and were not read yet. */
  load(): Promise<void>
}

/** Requests at a time: more would delay other callers. */
const parallelRequests = 6
/** Milliseconds between two changes of the page while outputs are read. */
const showPeriod = 250

export const hasRun = ({ live }: PartView): boolean => {
  const { state } = live.value
  return state === 'success' || state === 'failure'
}

export function createOutputs({ id, parts }: JobView): JobOutputs {
  const read = signal<ReadonlyMap<string, Output>>(new Map())
  const isReading = signal(false)
  const missing = () => parts.peek().filter(part => hasRun(part) && !read.peek().has(part.key))

  const load = async () => {
    if (isReading.peek()) return
    isReading.value = true
    // Asked for again, those that could not be read are tried once more.
    read.value = new Map([...read.peek()].filter(([, output]) => output !== 'failed'))
    for (let left = missing(); left.length > 0; left = missing()) await loadParts(id, left, read)
    isReading.value = false
  }
  return { read, isReading, load }
}

async function loadParts(id: number, parts: readonly PartView[], read: JobOutputs['read']): Promise<void> {
  const next = new Map(read.peek())
  let shown = Date.now()
  const clients = new Set(parts.map(({ client }) => client)).values()
  const work = async () => {
    for (const client of clients) {
      const own = parts.filter(part => part.client === client)
      for (const [key, output] of await readOutputs(id, client, own)) next.set(key, output)
      if (Date.now() - shown < showPeriod) continue
      shown = Date.now()
      read.value = new Map(next)
    }
  }
  await Promise.all(Array.from({ length: parallelRequests }, work))
  read.value = next
}

async function readOutputs(id: number, client: string, parts: readonly PartView[]): Promise<[string, Output][]> {
  const outputs = new Map<number, Output>()
  for (let after = ''; ; ) {
    const { value } = await get<JobDetails>(`/jobs/${id}?client=${encodeURIComponent(client)}${after}`)
    for (const { step, output = '', output_dropped } of value?.parts ?? [])
      outputs.set(step, output_dropped ? 'dropped' : { text: output })
    if (value?.next === undefined) return parts.map(({ key, step }) => [key, outputs.get(step) ?? 'failed'])
    after = `&after=${value.next}`
  }
}
