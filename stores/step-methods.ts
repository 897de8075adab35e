// The methods of the collections of procedures and tasks. Types only.
import type { New, Procedure, StepConflict } from './types.ts'

/** Procedures or tasks. */
export interface StepLists<Row extends Procedure> {
  /** In the order of the ids. */
  list(): Promise<Row[]>
  find(id: number): Promise<Row | undefined>
  /** The new id. */
  add(row: New<Row>): Promise<number | StepConflict>
  update(row: Row): Promise<'updated' | 'unknown' | StepConflict>
  /** One that a procedure, a task or a schedule names is `in use`. */
  delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
}
