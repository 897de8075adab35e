// Files that were damaged at random: a start gives all acknowledged writes or is refused, never anything else.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openDamagedStores } from '../harness/damaged-stores.ts'
import { random } from '../tools/bench/postgres/store-fleet.ts'

/** Variants of each folder. */
const variants = 75

const test = suite('randomly damaged files of the embedded store')

for (const hasNewestSnapshot of [true, false]) {
  const files = hasNewestSnapshot ? 'with all snapshots' : 'without the newest snapshot'
  test(`damaged variants of a folder ${files} give all data or a refusal that names file and byte`, async () => {
    const refused = await Promise.all([1, 2].map(seed => countRefused(hasNewestSnapshot, seed)))
    for (const count of refused) assert.ok(count > variants / 4, `${count} variants were refused`)
  })
}

async function countRefused(hasNewestSnapshot: boolean, seed: number): Promise<number> {
  const stores = await openDamagedStores(hasNewestSnapshot)
  const next = random(seed)
  let refused = 0
  for (let count = 1; count <= variants; count += 1) {
    const { variant, result, reason } = await stores.tryVariant(next)
    assert.is.not(result, 'other data', `seed ${seed}, variant ${count}: ${variant}`)
    if (result !== 'refused') continue
    refused += 1
    assert.match(reason, /^store: \S+ (is damaged|ends too early|is missing) at byte \d+; .*$/)
  }
  await stores.remove()
  return refused
}

test.run()
