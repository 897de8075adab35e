// Reads a job with the parts of all pages.
import type { JobDetails, PartAnswer } from '../../../contract/answers.ts'
import { get } from '../api/request.ts'
import { t } from '../language/translate.ts'

export type JobOrReason = { details: JobDetails } | { reason: string; isUnread: boolean }

export async function readJob(id: number): Promise<JobOrReason> {
  const parts: PartAnswer[] = []
  for (let after = ''; ; ) {
    const { value, status, reason } = await get<JobDetails>(`/jobs/${id}${after}`)
    if (!value) return { reason: reason || t('notice.unreachable'), isUnread: status === 0 }
    parts.push(...value.parts)
    if (value.next === undefined) return { details: { ...value, parts } }
    after = `?after=${value.next}`
  }
}
