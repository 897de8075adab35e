// How far a job is: in words, as a bar, and a line for each outcome.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import type { JobView } from '../state/jobs.ts'
import { endedOf, totalOf } from '../state/part-counts.ts'
import { JobBar } from './job-counts.tsx'
import { countWords, durationWords, sendingWords } from './job-words.ts'
import { OutcomeGroups } from './outcome-groups.tsx'

export function JobProgress({ view }: { view: JobView }) {
  const counts = view.counts.value
  const isOver = view.isFinished.value
  return (
    <>
      <p>
        <strong>{isOver ? t('job.finished') : t('panel.ended', { done: endedOf(counts), n: totalOf(counts) })}</strong>
        {' · '}
        {sendingWords(counts, view.parts.value, isOver)}
        {counts.sent > 0 && <Elapsed view={view} />}
      </p>
      <JobBar counts={counts} />
      <OutcomeGroups view={view} />
      <Summary view={view} />
    </>
  )
}

const second = 1000

/** How long the part runs that runs longest. */
function Elapsed({ view }: { view: JobView }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), second)
    return () => clearInterval(timer)
  }, [])
  const running = view.parts.value.map(({ live }) => live.peek()).filter(({ state }) => state === 'sent')
  const since = Math.min(...running.map(({ sent = '' }) => Date.parse(sent)).filter(Number.isFinite))
  if (since === Number.POSITIVE_INFINITY) return null
  const elapsed = durationWords(Math.floor((now.value - since) / second) * second)
  return <> · {elapsed}</>
}

/** Milliseconds between two summaries that are read aloud. */
const summaryPeriod = 4000

/** For screen readers: not each change, but how far it is from time to time, and the end. */
function Summary({ view }: { view: JobView }) {
  const text = useSignal('')
  const spoken = useRef(0)
  const { counts, isFinished, job } = view
  const words = countWords(counts.value)
  const isOver = isFinished.value
  useEffect(() => {
    if (!job.peek()) return
    const speak = () => {
      spoken.current = Date.now()
      text.value = isOver ? t('panel.finished', { words }) : words
    }
    const wait = isOver ? 0 : Math.max(0, spoken.current + summaryPeriod - Date.now())
    const timer = setTimeout(speak, wait)
    return () => clearTimeout(timer)
  }, [words, isOver])
  return (
    <p class="hidden-text" role="status" aria-live="polite">
      {text.value}
    </p>
  )
}
