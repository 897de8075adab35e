// The buttons of a job: stop what runs, cancel what waits, retry what failed or all that did not succeed.
import { t } from '../language/translate.ts'
import { cancelJob, type Retry, retriesOf, retryJob, stopJob } from '../state/job-requests.ts'
import type { JobView } from '../state/jobs.ts'
import { may } from '../state/session.ts'
import { Button } from './button.tsx'

export interface JobActionsProps {
  view: JobView
  /** Called with the id of the job that runs again. */
  onRetry(id: number): void
}

export function JobActions({ view, onRetry }: JobActionsProps) {
  const waiting = view.counts.value.queued
  if (!may('operate')) return null
  const retry = async (each: Retry) => {
    const id = await retryJob(view, each)
    if (id !== undefined) onRetry(id)
  }
  return (
    <>
      {retriesOf(view).map(each => (
        <Button
          key={each.wake ? 'wake' : each.only}
          text={t(each.wake ? 'job.wakeRetry' : 'job.retry', { what: each.words })}
          press={() => retry(each)}
        />
      ))}
      {view.counts.value.sent > 0 && <Button text={t('job.stop')} class="destructive" press={() => stopJob(view)} />}
      {waiting > 0 && <Button text={t('job.cancel', { n: waiting })} press={() => cancelJob(view)} />}
    </>
  )
}
