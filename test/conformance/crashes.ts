// A process with 8 writers is killed at random moments; what it acknowledged must be there, whole.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import type { Maintenance, OpenStore, Store } from '../../stores/store.ts'
import { shows } from './crash-work.ts'
import type { Lasting, Rule } from './rule.ts'
import { addLab } from './samples.ts'

const writers = 8

export interface Outcome {
  rounds: number
  acknowledged: number
  /** Steps that were acknowledged and are not there. */
  lost: number
  /** Writers of which something is there that no number of whole steps leaves, and what the adapter's check finds. */
  halves: number
}

export function crashes(rule: Rule<Lasting>): void {
  rule('what was acknowledged survives kill -9, and nothing is there in part', async (store, { adapter, options }) => {
    await addLab(store)
    await store.close()
    const { acknowledged, lost, halves } = await crash(adapter, options, 5)
    assert.ok(acknowledged > 100)
    assert.equal({ lost, halves }, { lost: 0, halves: 0 })
  })
}

/** The store at `options` has a room 1. `told` is called after each round. */
export async function crash(
  adapter: string,
  options: Lasting['options'],
  rounds: number,
  told: (outcome: Outcome) => void = () => {},
): Promise<Outcome> {
  const outcome = { rounds: 0, acknowledged: 0, lost: 0, halves: 0 }
  const done = Array.from({ length: writers }, () => 0)
  while (outcome.rounds < rounds) {
    const before = [...done]
    await writeUntilKilled([adapter, JSON.stringify(options), JSON.stringify(before)], done)
    const { default: open, check }: { default: OpenStore } & Partial<Maintenance> = await import(adapter)
    const store = await open(options, { info() {}, warn() {} })
    for (const [writer, acknowledged] of done.entries()) {
      outcome.acknowledged += acknowledged - (before[writer] ?? 0)
      done[writer] = await look(store, writer, acknowledged, outcome)
    }
    await store.close()
    const findings = (await check?.(options)) ?? []
    outcome.halves += findings.filter(({ ok: good }) => !good).length
    outcome.rounds += 1
    told(outcome)
  }
  return outcome
}

/** Counts each writer's acknowledged steps in `done`. */
async function writeUntilKilled(given: string[], done: number[]): Promise<void> {
  const program = fileURLToPath(new URL('crash-writer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let left = 20 + Math.floor(Math.random() * 400)
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    const [writer = 0, step = 0] = line.split(' ').map(Number)
    done[writer] = step + 1
    left -= 1
    if (left === 0) child.kill('SIGKILL')
  }
  const [code] = await ended
  if (code !== null) throw new Error(`the writing process ended by itself with ${code}`)
}

/** Gives the steps that are there: one more than acknowledged when the answer was on its way. */
async function look(store: Store, writer: number, acknowledged: number, outcome: Outcome): Promise<number> {
  for (const there of [acknowledged, acknowledged + 1]) if (await shows(store, writer, there)) return there
  for (let there = acknowledged - 1; there >= Math.max(0, acknowledged - 20); there -= 1) {
    if (!(await shows(store, writer, there))) continue
    outcome.lost += acknowledged - there
    return there
  }
  outcome.halves += 1
  return acknowledged
}
