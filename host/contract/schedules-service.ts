// What commands do with schedules.
import type { Masks, Schedule } from '../../stores/store.ts'
import type { Caller, Refusal, Request } from './request.ts'

/** A schedule of a caller; `at`: it fires once, in this minute. Without `when` and `at` it fires at once. */
export type NewSchedule = Pick<Schedule, 'type' | 'task' | 'name' | 'suspended' | 'plan'> & { when?: Masks; at?: Date }

/** The time in an update of a schedule, where `weeks` and `week_days` are optional. */
export type MasksChange = Omit<Masks, 'weeks' | 'week_days'> & Partial<Masks>

/** An update of a schedule: absent keys keep their values. Without `when` it fires at once. */
export type ScheduleChange = Pick<Schedule, 'task' | 'name' | 'type'> &
  Partial<Pick<Schedule, 'suspended'>> & { when?: MasksChange }

/**
 * A limited caller has the schedules that it made and those whose computers are all within its limits; for any other id,
 * known or not, it gets a refusal with 403. A refusal with 403 also when a caller could not run the target itself.
 */
export interface SchedulesService {
  list(caller: Caller): Promise<Schedule[]>
  /** Resolves to the id of the new schedule, which runs with the rights that the caller has then. */
  create(schedule: NewSchedule, caller: Caller): Promise<number | Refusal>
  /** Stores a command with its clients, and a schedule for it; resolves to the id of the schedule. */
  createScheduledCommand(
    scheduled: {
      clients: string[]
      command: string
      params: Record<string, unknown>
      when?: Masks
    },
    caller: Caller,
  ): Promise<number | Refusal>
  /** The schedule runs with the rights of the caller from now on. A refusal for an unknown id. */
  update(id: number, change: ScheduleChange, caller: Caller): Promise<Refusal | undefined>
  /** Warns of a schedule that names something which does not exist, or of whose times, if it has any, none is to come. */
  warn(id: number, when: object | undefined, request: Pick<Request, 'warn'>): Promise<void>
  /** A refusal for an unknown id. */
  delete(id: number, caller: Caller): Promise<Refusal | undefined>
  /** The ISO times at which it fires next; a refusal for an unknown id. */
  next(id: number, count: number, caller: Caller): Promise<string[] | Refusal>
  /** The ISO time of the last run that did not take place, as this daemon knows it since its start; none after a later run. */
  missed(id: number): string | undefined
}
