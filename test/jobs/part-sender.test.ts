// What a host does with the first part of a queue that it may not send, or of which it does not know whether it was sent.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { ClientQueue } from '../../host/jobs/queue/client-queue.ts'
import { PartSender } from '../../host/jobs/queue/part-sender.ts'
import type { QueueDeps } from '../../host/jobs/queue/queue-deps.ts'
import { QueuedPart, WaitingJobs } from '../../host/jobs/queue/queued-parts.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'

type Stored = Awaited<ReturnType<QueueDeps['recorder']['updateNow']>>

interface Lab {
  /** The command's preflight refuses the client. */
  isRefused?: boolean
  /** It was to be given back to the store. */
  isGivenBack?: boolean
  /** The store's answer to a claim: undefined when it is claimed. */
  answer?: Stored
}

/** Resolves to what was called while the part was sent. */
async function sendFirst(
  more: Partial<QueuedPart>,
  { isRefused = false, isGivenBack = false, answer }: Lab,
): Promise<unknown[]> {
  const calls: unknown[] = []
  const obstacles = new Map([['10.0.0.1', 'no such partition']])
  const deps = {
    fleet: { isReady: () => false, send() {} },
    recorder: {
      async updateNow({ state, sent }: { state: string; sent: number }) {
        calls.push(`${state} ${sent}`)
        return answer
      },
      update: ({ state }: { state: string }) => void calls.push(state),
      end() {},
    },
    clock: createManualClock(new Date(9)),
    services: { contextOf: () => ({ services: {} }) },
    running: { whileStarting: (work: Promise<void>) => work },
    cluster: { key: () => ({ name: '', epoch: 0 }), isMember: () => true },
    handOver: () => false,
    stopGivingBack: () => isGivenBack,
    decider: { concerns: () => false },
    findCommand: () => ({ command: { preflight: isRefused ? async () => obstacles : undefined } }),
    rights: { refresh() {}, async ask() {}, refusalOf() {} },
    throttledLog: () => ({ error() {} }),
  }
  const waitingJobs = new WaitingJobs()
  const job = { id: 1, steps: [{ command: 'x', payload: {} }] }
  const waitingJob = waitingJobs.of(job, { queued: 0, expires: 60 }, () => [{ job: 1 }])
  const part = Object.assign(new QueuedPart(waitingJob, { index: 2, step: 0 }), more)
  const queues = {
    isHeld: () => false,
    advance: () => void calls.push('advance'),
    resume() {},
    groups: () => ({ limitsOf: () => undefined, onFull() {}, release: () => void calls.push('release') }),
  }
  // `as`: a part sender uses nothing else of these.
  const sender = new PartSender(deps as unknown as QueueDeps, queues)
  const queue = new ClientQueue('10.0.0.1', 0, waitingJobs)
  queue.unshift(part)
  await sender.sendFirst(queue, part)
  return calls
}

const test = suite('first parts of queues')

test('a refused part is skipped, and leaves its slot', async () => {
  equal(await sendFirst({}, { isRefused: true }), ['sent 9', 'skipped', 'release', 'advance'])
})

test('a refused part that another host has claimed is not skipped here, and leaves its slot here', async () => {
  equal(await sendFirst({}, { isRefused: true, answer: 'lost' }), ['sent 9', 'release', 'advance'])
})

test('what the store may have as sent is only given back to it, and then asked for again', async () => {
  equal(await sendFirst({ isUncertain: true }, { isRefused: true }), ['queued 0', 'release', 'advance'])
  equal(await sendFirst({}, { isGivenBack: true }), ['queued 0', 'release', 'advance'])
})

test.run()
