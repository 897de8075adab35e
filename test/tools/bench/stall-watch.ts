// Stalls of the event loop, and memory of this process.
import { readFileSync } from 'node:fs'

export interface Stall {
  /** Milliseconds. */
  stall: number
  /** Milliseconds of processor time. */
  cpu: number
}

/**
 * Measures stalls of the event loop with a timer of 1 ms. Returns the longest interval, and the most processor time of
 * this thread in one interval: how long the stall would have been on an idle machine.
 */
export function watchStalls(): () => Stall {
  const longest = { stall: 0, cpu: 0 }
  let [wall, computed] = [performance.now(), cpuMilliseconds()]
  const timer = setInterval(() => {
    const [now, nowComputed] = [performance.now(), cpuMilliseconds()]
    longest.stall = Math.max(longest.stall, now - wall)
    longest.cpu = Math.max(longest.cpu, nowComputed - computed)
    wall = now
    computed = nowComputed
  }, 1)
  return () => {
    clearInterval(timer)
    return { stall: Number(longest.stall.toFixed(1)), cpu: Number(longest.cpu.toFixed(1)) }
  }
}

function cpuMilliseconds(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

export function megabytes(bytes = process.memoryUsage.rss()): number {
  return Math.round(bytes / 2 ** 20)
}
