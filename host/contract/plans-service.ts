// What commands do with planned restores.
import type { TaskOptions } from '../../stores/store.ts'
import type { Caller, Refusal, Request } from './request.ts'

/** The keys of `image/plan`. */
export interface NewRestore extends TaskOptions {
  /** Its name, or that of a version. */
  image: string
  rooms: number[]
  disk?: string
  partition?: string
  type?: string
  /** `22:00`, in local time; absent: at once. */
  at?: string
  /** Also where another system than that of the image stands. */
  overwrite?: boolean
  /** Stores and starts nothing. */
  dry_run?: boolean
}

/** `command`: the one that restores an image. */
export interface PlansService {
  /** What it does, as `POST /image/plan` says it, with the ids of the new task and schedule; a new job's is in the request. */
  add(command: string, restore: NewRestore, request: Caller & Pick<Request, 'job'>): Promise<object | Refusal>
  /** In the words of `GET /image/plans`; of a limited caller those whose schedules it has. */
  list(command: string, caller: Caller): Promise<object[]>
  /** By the id of its schedule. What something else names stays. */
  remove(schedule: number, caller: Caller): Promise<Refusal | undefined>
}
