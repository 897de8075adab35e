// What a queued part depends on besides its client. Types only.
import type { JobConditions } from '../../stores/store.ts'

export interface StartRules extends JobConditions {
  job: number
  /** The address of the repository of its image. */
  repository?: string | undefined
}
