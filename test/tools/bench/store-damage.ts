// Damages the files of a store at random, many times, and counts starts with other data than all acknowledged writes.
// Usage: node --import tsx test/tools/bench/store-damage.ts [--variants 1000] [--seed 1]
import { parseArgs } from 'node:util'
import { type Outcome, openDamagedStores } from '../../harness/damaged-stores.ts'
import { random } from './store-fleet.ts'

const { values } = parseArgs({
  options: { variants: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})

const counts: Record<Outcome['result'], number> = { 'all data': 0, refused: 0, 'other data': 0 }
const next = random(Number(values.seed))
for (const hasNewestSnapshot of [true, false]) {
  const stores = await openDamagedStores(hasNewestSnapshot)
  for (let count = 0; count < Number(values.variants) / 2; count += 1) {
    const { variant, result } = await stores.tryVariant(next)
    counts[result] += 1
    if (result === 'other data') console.log(`other data after ${variant}`)
  }
  await stores.remove()
}
console.log(
  Object.entries(counts)
    .map(([result, count]) => `${count} ${result}`)
    .join(', '),
)
if (counts['other data'] > 0) process.exitCode = 1
