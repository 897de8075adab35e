// Kills a process with 8 writers, or their server, at random moments; every acknowledged write must be complete afterwards.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Maintenance, OpenStore, Store, StoreOptions } from '../../stores/store.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'
import { shows } from './crash-work.ts'

const writers = 8

export interface Outcome {
  rounds: number
  acknowledged: number
  /** Acknowledged steps that are missing. */
  lost: number
  /** Writers whose state is not the result of a number of complete steps, and findings of the adapter's check. */
  partial: number
}

/** What is killed while the process writes. */
export interface Victim {
  kill(writer: ChildProcess): unknown
  /** After the writing process has ended: lets the store be opened again. */
  start?(): Promise<void>
}

const writingProcess: Victim = { kill: writer => writer.kill('SIGKILL') }

/** The store at `options` has a room 1. Calls `onRound` after each round. */
export async function crash(
  adapter: string,
  options: StoreOptions,
  rounds: number,
  onRound: (outcome: Outcome) => void = () => {},
  victim = writingProcess,
): Promise<Outcome> {
  const outcome = { rounds: 0, acknowledged: 0, lost: 0, partial: 0 }
  const done = Array.from({ length: writers }, () => 0)
  while (outcome.rounds < rounds) {
    const before = [...done]
    await writeUntilKilled([adapter, JSON.stringify(options), JSON.stringify(before)], done, victim)
    const { default: open, check }: { default: OpenStore } & Partial<Maintenance> = await import(adapter)
    const store = await open(options, { info() {}, warn() {} })
    for (const [writer, acknowledged] of done.entries()) {
      outcome.acknowledged += acknowledged - (before[writer] ?? 0)
      done[writer] = await countSteps(store, writer, acknowledged, outcome)
    }
    await store.close()
    const findings = (await check?.(options)) ?? []
    outcome.partial += findings.filter(({ ok }) => !ok).length
    outcome.rounds += 1
    onRound(outcome)
  }
  return outcome
}

/** Counts each writer's acknowledged steps in `done`. A process whose server is killed ends by itself. */
async function writeUntilKilled(args: string[], done: number[], { kill, start }: Victim): Promise<void> {
  const program = fileURLToPath(new URL('crash-writer.ts', import.meta.url))
  const child = spawn(process.execPath, [...nodeArguments(program), ...args, start ? 'until refused' : ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let left = 20 + Math.floor(Math.random() * 300)
  const ended = once(child, 'close')
  let killed: unknown
  for await (const line of createInterface(child.stdout)) {
    const [writer = 0, step = 0] = line.split(' ').map(Number)
    done[writer] = step + 1
    left -= 1
    if (left === 0) killed = kill(child)
  }
  const [code] = await ended
  // A server that refuses connections may not have ended yet.
  await killed
  await start?.()
  if (code !== (start ? 0 : null))
    throw new Error(`writing process: expected to end after the kill, got exit code ${code}`)
}

/** Resolves to the number of stored steps: one more than acknowledged if the last message was lost with the process. */
async function countSteps(store: Store, writer: number, acknowledged: number, outcome: Outcome): Promise<number> {
  for (const count of [acknowledged, acknowledged + 1]) if (await shows(store, writer, count)) return count
  for (let count = acknowledged - 1; count >= Math.max(0, acknowledged - 20); count -= 1) {
    if (!(await shows(store, writer, count))) continue
    outcome.lost += acknowledged - count
    return count
  }
  outcome.partial += 1
  return acknowledged
}
