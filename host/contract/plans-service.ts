// What commands do with planned restores.
import type { payload } from '../../commands/_schemas/planned-restores.ts'
import type { FromSchema } from './from-schema.ts'
import type { Caller, Refusal, Request } from './request.ts'

/** The keys of `image/plan`. */
export type NewRestore = FromSchema<typeof payload>

/** `command`: the one that restores an image. */
export interface PlansService {
  /** What it does, as `POST /image/plan` says it, with the ids of the new task and schedule; a new job's is in the request. */
  add(command: string, restore: NewRestore, request: Caller & Pick<Request, 'job'>): Promise<object | Refusal>
  /** In the words of `GET /image/plans`; of a limited caller those whose schedules it has. */
  list(command: string, caller: Caller): Promise<object[]>
  /** By the id of its schedule. What something else names stays. */
  remove(schedule: number, caller: Caller): Promise<Refusal | undefined>
}
