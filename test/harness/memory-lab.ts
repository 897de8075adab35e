// Hosts over one store in memory, whose results a test can lose.
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import openMemory from '../../stores/memory/index.ts'
import { startJobsLab } from './jobs-lab.ts'
import type { LabStore } from './lab-host.ts'
import { createMemoryWork, type MemoryWork } from './memory-work.ts'

export async function openSharedMemory(): Promise<{
  memory: MemoryWork
  open(name: string): Promise<LabStore>
  close(): Promise<void>
}> {
  const store = await openMemory({ adapter: 'memory', path: '' }, { info() {}, warn() {} })
  const memory = createMemoryWork(store)
  let epochs = 0
  return {
    memory,
    async open(name) {
      const host: LabStore = {
        store,
        work: memory.work,
        key: { name, epoch: ++epochs },
        onNotice: listener => memory.onNotice(target => void (target === name && listener())),
        remove: async reason => memory.remove(host.key, reason),
        async join() {
          host.key = { name, epoch: ++epochs }
          memory.join(host.key)
          return host.key
        },
      }
      memory.join(host.key)
      return host
    },
    close: () => store.close(),
  }
}

/** Two of them, with a clock that the test moves. */
export async function openMemoryLab() {
  const { memory, open } = await openSharedMemory()
  const clock = createManualClock(new Date())
  const lab = await startJobsLab(['a', 'b'], open, clock)
  const [a, b] = lab.hosts
  if (!a || !b) throw new Error('expected two hosts')
  return { lab, memory, clock, a, b }
}
