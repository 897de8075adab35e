// What became of a job, live, in the drawer at the right of any page. Its number is in the address: another page has none.
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { JobActions } from '../parts/job-actions.tsx'
import { JobProgress } from '../parts/job-progress.tsx'
import { labelOfName } from '../state/commands.ts'
import { useJob } from '../state/jobs.ts'
import { linkTo } from '../state/route.ts'
import { runningCount, showJob, shownJob } from '../state/running-jobs.ts'
import { isTyping } from '../state/typing.ts'

export function JobDrawer() {
  const id = shownJob.value ?? 0
  const view = useJob(id)
  const drawer = useRef<HTMLElement>(null)
  // The button that was pressed may be gone.
  useEffect(() => focusAgain(drawer.current), [id])
  useEffect(() => {
    addEventListener('keydown', pressKey, true)
    return () => {
      removeEventListener('keydown', pressKey, true)
      focusAgain(document.getElementById('main'))
    }
  }, [])
  const { job, problem } = view
  return (
    <aside class="drawer" aria-labelledby="drawer-title" tabIndex={-1} ref={drawer}>
      <header>
        <h2 id="drawer-title">
          <a href={linkTo('job', id)}>{job.value ? labelOfName(job.value.name) : t('panel.job', { id: String(id) })}</a>
        </h2>
        <button type="button" class="plain icon" aria-label={t('action.close')} onClick={close}>
          ×
        </button>
      </header>
      {problem.value && <p class="problem">{t('resource.problem', { reason: problem.value })}</p>}
      <div class="actions">
        <JobActions view={view} onRetry={showJob} />
      </div>
      {job.value && <JobProgress view={view} />}
      {runningCount.value > 1 && <a href={linkTo('jobs')}>{t('frame.running', { n: runningCount.value })}</a>}
    </aside>
  )
}

const close = () => showJob()

function focusAgain(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}

/** Before other keys of the page: Escape closes the drawer first, and what is selected stays. */
function pressKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || isTyping(event.target) || document.querySelector(':popover-open')) return
  event.preventDefault()
  close()
}
