// The rule for closing a store and opening it again.
import * as assert from 'uvu/assert'
import { everything, fill } from './fill.ts'
import type { PersistentStore, Rule } from './rule.ts'

export function reopening(rule: Rule<PersistentStore>): void {
  rule('everything is unchanged after closing and opening again', async (store, { reopen }) => {
    await fill(store, 'first')
    const before = await everything(store)
    const again = await reopen()
    assert.equal(await everything(again), before)
    await fill(again, 'second')
    const later = await everything(again)
    assert.equal(await everything(await reopen()), later)
  })
}
