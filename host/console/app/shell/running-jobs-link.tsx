// Says in the header how many jobs have not finished.
import { t } from '../language/translate.ts'
import { linkTo } from '../state/route.ts'
import { runningCount } from '../state/running-jobs.ts'

export function RunningJobsLink() {
  const n = runningCount.value
  if (n === 0) return null
  const text = t('frame.running', { n })
  return (
    <a class="running-jobs" href={linkTo('jobs')} title={text} aria-label={text}>
      <span class="running-sign" aria-hidden="true" /> {n > 99 ? '99+' : n}
    </a>
  )
}
