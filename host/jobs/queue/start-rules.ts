// What a queued part depends on besides its client. Types only.
import type { JobConditions } from '../../../stores/store.ts'

export interface StartRules extends Omit<JobConditions, 'after_success'> {
  /** The step of the part, which needs the success of all steps before it. */
  afterSuccess?: number
  job: number
  /** The address of the repository of its image. */
  repository?: string | undefined
}
