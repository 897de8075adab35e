// The methods of the groups of computers. Types only.
import type { Group, New } from './types.ts'

export interface GroupMethods {
  list(): Promise<Group[]>
  /** The new id, or undefined when the name is taken. */
  add(group: New<Group>): Promise<number | undefined>
  /** Replaces all values. */
  update(group: Group): Promise<'updated' | 'unknown' | 'name taken'>
  /** The deleted one, or undefined for an unknown id. Does not ask who names it. */
  delete(id: number): Promise<Group | undefined>
}
