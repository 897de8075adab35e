// The job that was sent last, live: what became of it on each computer.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { JobActions } from '../parts/job-actions.tsx'
import { JobBar, JobCounts } from '../parts/job-counts.tsx'
import { countWords, sendingWords } from '../parts/job-words.ts'
import { OutcomeGroups } from '../parts/outcome-groups.tsx'
import { labelOfName } from '../state/commands.ts'
import { shownJob } from '../state/job-requests.ts'
import { endedOf, type JobView, totalOf, useJob } from '../state/jobs.ts'
import { linkTo } from '../state/route.ts'

export function LivePanel() {
  const id = shownJob.value
  return id === undefined ? null : <JobPanel key={id} id={id} />
}

/** Pixels; on narrower pages the list would hide the rooms. */
const narrowWidth = 700

function JobPanel({ id }: { id: number }) {
  const view = useJob(id)
  const isOpen = useSignal(innerWidth > narrowWidth)
  const { job, counts, problem } = view
  const total = totalOf(counts.value)
  const close = () => {
    shownJob.value = undefined
  }
  return (
    <section class="live-panel" aria-label={t('panel.title')}>
      <header>
        <h2>
          <a href={linkTo('job', id)}>{job.value ? labelOfName(job.value.name) : t('panel.job', { id: String(id) })}</a>
        </h2>
        <p class="sending">{job.value && sendingWords(counts.value, view.parts.value)}</p>
        <div class="actions">
          <JobActions
            view={view}
            onRetry={next => {
              shownJob.value = next
            }}
          />
          <button
            type="button"
            class="plain icon"
            aria-expanded={isOpen.value}
            aria-label={t('panel.outcomes')}
            title={t('panel.outcomes')}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {isOpen.value ? '▾' : '▴'}
          </button>
          <button type="button" class="plain icon" aria-label={t('action.close')} onClick={close}>
            ×
          </button>
        </div>
      </header>
      {problem.value && <p class="problem">{t('resource.problem', { reason: problem.value })}</p>}
      <div class="panel-bar">
        <JobBar counts={counts.value} />
        <JobCounts counts={counts.value} />
        <span class="hint">{t('panel.ended', { done: endedOf(counts.value), n: total })}</span>
      </div>
      <Summary view={view} />
      {isOpen.value && <OutcomeGroups view={view} />}
    </section>
  )
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
