// The queue of a client while its store fails.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import type { AgentRequest } from '../../host/agents/agent-request.ts'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import type { Accepted } from '../../host/jobs/prepare.ts'
import { Queue } from '../../host/jobs/queue/queue.ts'
import type { QueueDeps } from '../../host/jobs/queue/queue-deps.ts'
import { type QueuedName, QueuedPart } from '../../host/jobs/queue/queued-parts.ts'
import { RunningParts } from '../../host/jobs/record/running-parts.ts'
import { createLog } from '../../host/log/log.ts'
import { createEvents } from '../../host/system/events.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import type { PartUpdate } from '../../stores/store.ts'
import { labCommand } from '../harness/lab-command.ts'

const test = suite('queue with a failing store')

const command = labCommand('hardware')
const part = { queued: 0, expires: 900 }

// Over a fleet that notes what is sent, and a recorder that fails while `store.fails` is true.
function createTestQueue() {
  const clock = createManualClock(new Date(0))
  const events = createEvents(createLog(() => {}))
  const sent: string[] = []
  const requests = new Map<string, AgentRequest>()
  const store = { fails: true }
  const ends: string[] = []
  const deps = {
    clock,
    events,
    running: new RunningParts(),
    throttledLog: () => createLog(() => {}),
    store: { jobs: { parts: async () => [] } },
    fleet: {
      has: () => true,
      isReady: () => true,
      send(addr: string, request: AgentRequest) {
        sent.push(`${addr} ${request.command}`)
        requests.set(addr, request)
        return 'sent'
      },
    },
    prepare: {
      reuse: (_: LoadedCommand, payload: unknown) => ({ payload, body: '' }),
      plainRequest({ name }: LoadedCommand, clients: string[], onEnd: AgentRequest['onEnd']) {
        const request = { command: name, forward: {}, payload: { clients }, bytes: Buffer.alloc(0), deadline: 1 }
        return onEnd ? { ...request, onEnd } : request
      },
      toAgentRequest: ({ name }: LoadedCommand, { payload }: Accepted, { onEnd }: Pick<AgentRequest, 'onEnd'>) => {
        const request: AgentRequest = { command: name, forward: {}, payload, bytes: Buffer.alloc(0), deadline: 1 }
        return onEnd ? { ...request, onEnd } : request
      },
    },
    recorder: {
      settle: async () => {},
      update: ({ index, state }: PartUpdate) => void ends.push(`${index} ${state}`),
      end: () => {},
      updateNow: async () => {
        if (store.fails) throw new Error('disk full')
      },
    },
    cluster: { key: () => ({ name: '', epoch: 0 }), isMember: () => true },
    handOver: () => false,
    giveBack: async ({ index }: QueuedName) => void ends.push(`${index} queued`),
    stopGivingBack: () => false,
    decider: { concerns: () => false },
    findCommand: () => command,
    queueCommand: () => ({ ...command, name: 'run-schedule' }),
    rights: { refresh() {}, async ask() {}, refusalOf() {} },
  }
  // `as`: a queue uses nothing else of these here.
  const queue = new Queue(deps as unknown as QueueDeps)
  return { queue, clock, events, sent, requests, store, ends }
}

test('a part that cannot be stored as sent is tried again after 5 s, while other queues stay paused', async () => {
  const { queue, clock, events, sent, requests, store } = createTestQueue()
  const [stored, silent] = ['127.0.0.2', '127.0.0.3']
  const end = async (addr: string, answered: boolean) => {
    requests.get(addr)?.onEnd?.(addr, { result: 'success', answered }, 0)
    events.emit({ type: 'command-ended', addr, command: '', result: 'success' })
    await new Promise(setImmediate)
  }
  const waiting = queue.waitingJobs.of({ id: 1, steps: [{ command: 'hardware', payload: {} }] }, part, () => [])
  for (const [index, addr] of [stored, silent].entries()) {
    queue.append(addr, [new QueuedPart(waiting, { index, step: 0 })])
  }
  equal(sent.splice(0), [`${stored} run-schedule`, `${silent} run-schedule`])
  await end(stored, true)
  await end(silent, false)
  equal(sent, [])
  store.fails = false
  await clock.advance(5000)
  equal(sent.splice(0), [`${stored} hardware`])
  await end(stored, true)
  equal(queue.depth, 1)
  queue.wake()
  equal(sent, [`${silent} run-schedule`])
  queue.close()
})

test('a part that may be stored as sent, and is not, is given back before it ends', async () => {
  const { queue, events, requests, ends } = createTestQueue()
  const addr = '127.0.0.2'
  const waiting = queue.waitingJobs.of({ id: 1, steps: [{ command: 'hardware', payload: {} }] }, part, () => [])
  for (const index of [0, 1]) queue.append(addr, [new QueuedPart(waiting, { index, step: 0 })])
  requests.get(addr)?.onEnd?.(addr, { result: 'success', answered: true }, 0)
  events.emit({ type: 'command-ended', addr, command: '', result: 'success' })
  await new Promise(setImmediate)
  equal(ends, [])
  queue.cancel({ job: 1, isOwn: () => true }, 'no longer needed')
  await new Promise(setImmediate)
  equal(ends, ['0 queued', '1 cancelled', '0 cancelled'])
  queue.close()
})

test.run()
