// Ids of job parts: a part's id is calculated from its job's id and its index, so that no index table is needed.
import type { Row } from './row-types.ts'

/** Parts per chunk: the most that one outcome may rewrite, and still little memory for each part. */
export const chunkSize = 128

/** A part's id is its job's id times this, plus its index. Leaves 2^31 jobs. */
export const maxParts = 2 ** 22

export const jobIdOf = ({ id }: Row): number => Math.floor(id / maxParts)

export const partIndexOf = ({ id }: Row): number => id % maxParts

/** The id of the chunk that a part belongs to, which is the id of the chunk's first part. */
export const chunkIdOf = (job: number, index: number): number => job * maxParts + index - (index % chunkSize)
