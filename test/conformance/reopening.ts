// What is there after closing and opening again.
import * as assert from 'uvu/assert'
import { everything, fill } from './fill.ts'
import type { Lasting, Rule } from './rule.ts'

export function reopening(rule: Rule<Lasting>): void {
  rule('everything is as it was after closing and opening again', async (store, { reopen }) => {
    await fill(store, 'first')
    const before = await everything(store)
    const again = await reopen()
    assert.equal(await everything(again), before)
    assert.equal(await again.filesystems(['ZFS', 'NEW']), [1, 3])
    await fill(again, 'second')
    const grown = await everything(again)
    assert.equal(await everything(await reopen()), grown)
  })
}
