// Reads the processor time, wake-ups and memory of a process from the kernel.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Callers, Load, LoadResult } from './callers.ts'
import type { Child } from './child-process.ts'

/** Milliseconds until an idle process sleeps: the kernel's value is exact only for sleeping threads. */
const settleMilliseconds = 20

/** Returns the processor time of all threads in milliseconds. */
export async function cpuOf(pid: number): Promise<number> {
  await wait(settleMilliseconds)
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map(thread => {
    const [running = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(running)
  })
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** A program that serves requests. */
export interface LoadedProgram {
  pid: number
  port: number
}

/** Also returns `cpu`: milliseconds of processor time of the program for each request. Rejects for a failed request. */
export async function loadOf(
  loader: Child<Callers>,
  pid: number,
  load: Load,
): Promise<Record<keyof LoadResult | 'cpu', number>> {
  const before = await cpuOf(pid)
  const result = await loader.ask('run', load)
  const { requests, failed } = result
  if (failed > 0 || requests === 0)
    throw new Error(`${load.requests[0]?.split('\r\n')[0]}: ${failed} of ${requests} failed`)
  return { ...result, cpu: ((await cpuOf(pid)) - before) / requests }
}

/** Returns how often the main thread and all threads that live now have slept until something woke them. */
export function wakeUpsOf(pid: number): { main: number; all: number } {
  const switches = (thread: string | number) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
  }
  const all = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + switches(thread), 0)
  return { main: switches(pid), all }
}

/** Returns the resident memory in bytes. */
export function memoryOf(pid: number): number {
  const [, kibibytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
