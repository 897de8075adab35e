// The buttons of a job: stop what runs, cancel what waits, retry what failed or all that did not succeed.
import { useSignal } from '@preact/signals'
import { t } from '../language/translate.ts'
import { cancelJob, type Retry, retriesOf, retryJob, stopJob } from '../state/job-requests.ts'
import type { JobView } from '../state/jobs.ts'
import { may } from '../state/session.ts'

export interface JobActionsProps {
  view: JobView
  /** Called with the id of the job that runs again. */
  onRetry(id: number): void
}

export function JobActions({ view, onRetry }: JobActionsProps) {
  const isBusy = useSignal(false)
  const waiting = view.counts.value.queued
  if (!may('operate')) return null
  const alone = async (work: Promise<unknown>) => {
    isBusy.value = true
    await work
    isBusy.value = false
  }
  const retry = async (each: Retry) => {
    const id = await retryJob(view, each)
    if (id !== undefined) onRetry(id)
  }
  return (
    <>
      {retriesOf(view).map(each => (
        <button
          type="button"
          key={each.wake ? 'wake' : each.only}
          disabled={isBusy.value}
          onClick={() => void alone(retry(each))}
        >
          {t(each.wake ? 'job.wakeRetry' : 'job.retry', { what: each.words })}
        </button>
      ))}
      {view.counts.value.sent > 0 && (
        <button type="button" class="destructive" disabled={isBusy.value} onClick={() => void alone(stopJob(view))}>
          {t('job.stop')}
        </button>
      )}
      {waiting > 0 && (
        <button type="button" disabled={isBusy.value} onClick={() => void alone(cancelJob(view))}>
          {t('job.cancel', { n: waiting })}
        </button>
      )}
    </>
  )
}
