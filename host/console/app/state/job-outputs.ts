// What the scripts of a job have printed: read for one client at a time, as the API returns them; and what those that run
// have printed so far, which events go on with.
import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { AnswerOf, JobDetails } from '../../../contract/answers.ts'
import { get, post } from '../api/request.ts'
import { commandOf } from './commands.ts'
import { onEvents, onMissingEvents } from './events.ts'
import type { JobView, PartView } from './jobs.ts'

/** `dropped`: no longer stored. `failed`: could not be read. */
export type Output = { text: string } | 'dropped' | 'failed'

export interface JobOutputs {
  /** By the key of the part; a new map whenever more were read. */
  readonly read: Signal<ReadonlyMap<string, Output>>
  readonly isReading: Signal<boolean>
  /** Of scripts that run, as far as their agents say it; by the key of the part. */
  readonly running: Signal<ReadonlyMap<string, string>>
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

/** Whether its scripts print something; undefined until it was read. A command that is out of service has its output still. */
export const hasOutputs = ({ job }: JobView): boolean | undefined =>
  job.value?.commands.some(name => commandOf(name)?.runsScript ?? true)

/** Follows what scripts print while the component is shown. */
export function useOutputs(view: JobView): JobOutputs {
  const outputs = useMemo(() => createOutputs(view), [view])
  const isFollowed = hasOutputs(view) ?? false
  useEffect(() => (isFollowed ? followRunning(view, outputs.running) : undefined), [outputs, isFollowed])
  return outputs
}

function createOutputs({ id, parts }: JobView): JobOutputs {
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
  return { read, isReading, running: signal(new Map()), load }
}

/** Characters of one script that runs: of more the last ones. */
const longestText = 20_000

function followRunning({ id, parts }: JobView, running: JobOutputs['running']): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What has come since the page has changed last, by the key of the part. */
  let pieces = new Map<string, string[]>()
  /** The parts of which a text was read: the first pieces after it may be in it. */
  const isRead = new Set<string>()

  const show = (read: ReadonlyMap<string, string> = new Map()) => {
    clearTimeout(timer)
    timer = undefined
    const next = new Map(running.peek())
    // Events have told more than is kept to be read.
    for (const [key, text] of read) {
      if (text.length <= (next.get(key)?.length ?? 0)) continue
      next.set(key, text)
      isRead.add(key)
    }
    for (const [key, added] of pieces) {
      const text = next.get(key) ?? ''
      next.set(key, (text + (isRead.delete(key) ? newIn(text, added) : added.join(''))).slice(-longestText))
    }
    pieces = new Map()
    running.value = next
  }
  const readNow = async () => {
    const open = parts.peek().filter(({ live }) => live.peek().state === 'sent')
    if (open.length === 0 || open.length > parallelRequests * 20) return
    const clients = [...new Set(open.map(({ client }) => client))]
    const { value } = await post<AnswerOf<'POST /shell/output'>>('/shell/output', { clients })
    const texts = new Map(value?.clients.map(({ addr, output }) => [addr, output]))
    show(new Map(open.map(({ key, client }) => [key, texts.get(client) ?? ''])))
  }
  const offMissing = onMissingEvents(() => void readNow())
  const offEvents = onEvents(event => {
    if (event.type !== 'job-output' || event.job !== id) return
    const key = `${event.clients[0]} ${event.step}`
    const text = event.omitted === undefined ? event.text : `…${event.text}`
    pieces.set(key, [...(pieces.get(key) ?? []), text])
    timer ??= setTimeout(show, showPeriod)
  })
  void readNow()
  return () => {
    clearTimeout(timer)
    offMissing()
    offEvents()
  }
}

/** Those of the pieces that the text, which was read meanwhile, does not end with already. */
function newIn(text: string, pieces: readonly string[]): string {
  for (let known = pieces.length; known > 0; known -= 1)
    if (text.endsWith(pieces.slice(0, known).join(''))) return pieces.slice(known).join('')
  return pieces.join('')
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
