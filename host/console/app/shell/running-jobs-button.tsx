// Says in the header how many jobs have not finished; it opens and closes the drawer with one of them.
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { lastRunning, runningCount, showJob, shownJob } from '../state/running-jobs.ts'

export function RunningJobsButton() {
  const n = runningCount.value
  const isOpen = shownJob.value !== undefined
  if (n === 0) return null
  const text = t('frame.running', { n })
  return (
    <Button
      class="badge warn"
      title={text}
      aria-label={text}
      aria-expanded={isOpen}
      press={() => showJob(isOpen ? undefined : lastRunning())}
    >
      <span class="running-sign" aria-hidden="true" /> {n > 99 ? '99+' : n}
    </Button>
  )
}
