// The rules for a store whose data stay when it is closed, or when its process is killed.
import * as assert from 'uvu/assert'
import { roundsOf } from '../harness/rounds.ts'
import { crash } from './crashes.ts'
import { everything, fill } from './fill.ts'
import type { PersistentStore, Rule } from './rule.ts'
import { addLab } from './samples.ts'
import { durability } from './stores.ts'

export const runs = { seconds: 20, postgres: true }

function reopening(rule: Rule<PersistentStore>): void {
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

function crashes(rule: Rule<PersistentStore>): void {
  rule('acknowledged writes survive kill -9, and no write is stored partially', async (store, { adapter, options }) => {
    await addLab(store)
    await store.close()
    const { acknowledged, lost, partial } = await crash(adapter, options, roundsOf(3))
    assert.ok(acknowledged > 50)
    assert.equal({ lost, partial }, { lost: 0, partial: 0 })
  })
}

durability({ reopening, crashes })
