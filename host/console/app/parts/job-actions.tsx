// The buttons of a job: retry what failed, retry all that did not succeed, cancel what waits.
import { useSignal } from '@preact/signals'
import { t } from '../language/translate.ts'
import { cancelJob, type Retry, retriesOf, retryJob } from '../state/job-requests.ts'
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
        <button type="button" key={each.only ?? 'all'} disabled={isBusy.value} onClick={() => void alone(retry(each))}>
          {t('job.retry', { what: each.words })}
        </button>
      ))}
      {waiting > 0 && (
        <button type="button" disabled={isBusy.value} onClick={() => void alone(cancelJob(view))}>
          {t('job.cancel', { n: waiting })}
        </button>
      )}
    </>
  )
}
