// The methods of schedules and scheduled commands. Types only.
import type { New, NewPlannedRestore, PlannedRestore, Schedule, ScheduledCommand, StepConflict } from './types.ts'

export interface ScheduleMethods {
  list(): Promise<Schedule[]>
  /** The new id. */
  add(schedule: New<Schedule>): Promise<number>
  /** Adds the command and a schedule of type command whose `task` is the command's id. The new id of the schedule. */
  addScheduledCommand(command: New<ScheduledCommand>, schedule: Omit<New<Schedule>, 'task'>): Promise<number>
  findScheduledCommand(id: number): Promise<ScheduledCommand | undefined>
  /** Adds a procedure, a task whose step it is, and a schedule of the task, which has their ids in `plan`: all or none. */
  addPlannedRestore(restore: NewPlannedRestore): Promise<PlannedRestore | StepConflict>
  /** False for an unknown id. Deletes a scheduled command that no schedule names any more. */
  update(schedule: Schedule): Promise<boolean>
  /** Sets `since`; ignores an unknown id. */
  setSince(id: number, since: number): Promise<void>
  /**
   * False for an unknown id. Deletes a scheduled command that no schedule names any more, and the task and the procedure
   * that its `plan` has, unless something else names them.
   */
  delete(id: number): Promise<boolean>
}
