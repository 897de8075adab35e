// Runs what the pages of docs/ print whose names begin with a to h.
import { testBlocksOf } from '../harness/docs-blocks.ts'

export const runs = { seconds: 60 }

testBlocksOf(/^[a-h]/i)
