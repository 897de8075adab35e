// The job that was sent last, live: what became of it on each computer.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isUnfinished } from '../../../../stores/rules/part-states.ts'
import type { PartAnswer } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'
import { JobActions } from '../parts/job-actions.tsx'
import { JobBar, JobCounts } from '../parts/job-counts.tsx'
import { countWords, sendingWords, stateWord } from '../parts/job-words.ts'
import { labelOfName } from '../state/commands.ts'
import { shownJob } from '../state/job-requests.ts'
import { endedOf, type JobView, type PartView, totalOf, useJob } from '../state/jobs.ts'
import { computers, nameOf } from '../state/lab.ts'
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
      {isOpen.value && <Outcomes view={view} />}
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

/** Of more parts only those that did not succeed are listed: all are on the page of the job. */
const maxListed = 150

function Outcomes({ view }: { view: JobView }) {
  const all = view.parts.value
  // Which ones are listed changes with the counts.
  const isLong = totalOf(view.counts.value) > maxListed
  const listed = isLong ? all.filter(({ live }) => needsLook(live.peek())) : all
  const shown = listed.slice(0, maxListed)
  const hidden = all.length - shown.length
  return (
    <div class="outcomes">
      <ul aria-label={t('panel.outcomes')}>
        {shown.map(part => (
          <Outcome key={part.key} part={part} hasSteps={(view.job.value?.commands.length ?? 0) > 1} />
        ))}
      </ul>
      {isLong && (
        <p class="hint">
          {t('panel.more', { n: hidden })} <a href={linkTo('job', view.id)}>{t('panel.all')}</a>
        </p>
      )}
    </div>
  )
}

const needsLook = (part: PartAnswer) => part.state !== 'success' && !isUnfinished(part)

function Outcome({ part, hasSteps }: { part: PartView; hasSteps: boolean }) {
  const { state, reason } = part.live.value
  const progress = state === 'sent' ? computers.value.get(part.client)?.live.value.progress : undefined
  return (
    <li class="outcome" data-state={state} title={reason}>
      <a class="outcome-name" href={linkTo('computer', part.client)}>
        {nameOf(part.client)}
      </a>
      {hasSteps && <span class="hint">{labelOfName(part.command)}</span>}
      <span class="part-state" data-state={state}>
        {stateWord(state)}
        {reason && `: ${reason}`}
      </span>
      {progress !== undefined && <progress max="100" value={progress} aria-label={stateWord(state)} />}
    </li>
  )
}
