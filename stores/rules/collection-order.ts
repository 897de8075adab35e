// The collections of a dump, in its order.
import type { Collections } from '../types.ts'

/** Each after those that its rows name, apart from steps of procedures and tasks. */
export const collectionOrder = [
  'centers',
  'rooms',
  'tokens',
  'users',
  'repositories',
  'groups',
  'systems',
  'filesystems',
  'hardware',
  'software',
  'images',
  'computers',
  'partitions',
  'procedures',
  'tasks',
  'errands',
  'schedules',
  'jobs',
  'parts',
  'documents',
  'undos',
  'events',
] as const satisfies readonly (keyof Collections)[]
