// Runs what the pages of docs/ print whose names begin with p to z.
import { testBlocksOf } from '../harness/docs-blocks.ts'

export const runs = { seconds: 60 }

testBlocksOf(/^[p-z]/i)
