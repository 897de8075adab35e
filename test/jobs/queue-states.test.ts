// The states of a client's queue.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { ClientQueue, type QueueState } from '../../host/jobs/queue/client-queue.ts'
import { WaitingJobs } from '../../host/jobs/queue/queued-parts.ts'

const test = suite('queue states')

/** How a new queue gets into each state. */
const paths: Record<QueueState, (queue: ClientQueue) => void> = {
  idle: () => {},
  announcing: queue => queue.announce(),
  open: queue => queue.onAnnounced(true),
  paused: queue => queue.onAnnounced(false),
  sending(queue) {
    paths.open(queue)
    queue.startSending()
  },
  interrupted(queue) {
    paths.sending(queue)
    queue.onClientGone()
  },
  retrying(queue) {
    paths.sending(queue)
    queue.onStoreError()
  },
}

interface Transition {
  name: string
  run(queue: ClientQueue): void
  /** Default: all. */
  from?: QueueState[]
  /** The next state where it differs from the state before. */
  changes: Partial<Record<QueueState, QueueState>>
}

const transitions: Transition[] = [
  {
    name: 'a first part that is taken or given back',
    run: queue => queue.startSending(),
    from: ['open', 'idle'],
    changes: { open: 'sending', idle: 'interrupted' },
  },
  {
    name: 'the end of a part',
    run: queue => queue.stopSending(),
    from: ['sending', 'interrupted'],
    changes: { sending: 'open', interrupted: 'idle' },
  },
  {
    name: 'a store error',
    run: queue => queue.onStoreError(),
    from: ['sending', 'interrupted'],
    changes: { sending: 'retrying', interrupted: 'paused' },
  },
  {
    name: 'a new part, a task run or a retry',
    run: queue => queue.resume(),
    changes: { paused: 'idle', retrying: 'open' },
  },
  {
    name: 'the end of a refresh',
    run: queue => queue.onClientReady(),
    changes: { announcing: 'idle', paused: 'idle', retrying: 'open' },
  },
  {
    name: 'a lost connection',
    run: queue => queue.onClientGone(),
    changes: { announcing: 'idle', open: 'idle', paused: 'idle', sending: 'interrupted', retrying: 'idle' },
  },
]

const allStates = Object.keys(paths) as QueueState[] // `as`: these are its keys.

for (const { name, run, from = allStates, changes } of transitions) {
  test(`${name} changes the state of a queue as the table in client-queue.ts shows`, () => {
    for (const state of from) {
      const queue = new ClientQueue('127.0.0.2', 0, new WaitingJobs())
      paths[state](queue)
      equal(queue.state, state)
      run(queue)
      equal(queue.state, changes[state] ?? state, state)
    }
  })
}

test.run()
