// Runs what the pages of docs/ print whose names begin with i to o.
import { testBlocksOf } from '../harness/docs-blocks.ts'

export const runs = { seconds: 200 }

testBlocksOf(/^[i-o]/i)
