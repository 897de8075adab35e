// Reads the processor time, wake-ups and memory of a process from the kernel.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

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
