// Several hosts over a store in memory, and what happens when results of the database get lost.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import openMemory from '../../stores/memory/index.ts'
import { testSeveralHosts } from '../conformance/several-hosts.ts'
import { startJobsLab } from '../harness/jobs-lab.ts'
import { everyone, type LabStore } from '../harness/lab-host.ts'
import { createMemoryWork, type MemoryWork } from '../harness/memory-work.ts'
import { pollUntil } from '../harness/poll.ts'

async function openShared(): Promise<{
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

testSeveralHosts('memory', openShared)

const test = suite('results that get lost')
const addr = '10.0.0.1'

async function openLab() {
  const { memory, open } = await openShared()
  const clock = createManualClock(new Date())
  const lab = await startJobsLab(['a', 'b'], open, clock)
  const [a, b] = lab.hosts
  if (!a || !b) throw new Error('expected two hosts')
  return { lab, memory, clock, a, b }
}

test('parts that were taken are sent once although the result of that was lost', async () => {
  const { lab, memory, a, b } = await openLab()
  b.connect(addr)
  memory.losesReplyOf = 'take'
  const job = await a.run('shell-run', [addr])
  equal(b.sent, [])
  b.tick()
  await b.works(addr)
  b.tick()
  await new Promise(setImmediate)
  b.reply(addr)
  equal(await lab.outcomes(job), ['success'])
  equal(b.sent, [`${addr} shell-run`])
  await lab.close()
})

test('what waits of a job that was stored without an answer is sent when the queues are read again', async () => {
  const { lab, memory, a } = await openLab()
  a.connect(addr)
  const first = await a.run('shell-run', [addr])
  memory.losesReplyOf = 'add'
  is(await a.run('shell-run', [addr], { queue: '1' }).catch(() => 0), 0)
  a.jobs.readQueues()
  a.reply(addr)
  await lab.outcomes(first)
  await a.works(addr, 'run-schedule')
  a.reply(addr)
  await a.works(addr)
  a.reply(addr)
  equal(await lab.outcomes(first + 1), ['success'])
  await lab.close()
})

/** A part of a job waits at `b` until its client replies, and is claimed then. */
async function openQueued() {
  const opened = await openLab()
  const { lab, a, b } = opened
  b.connect(addr)
  const first = await b.run('shell-run', [addr])
  const job = await a.run('shell-run', [addr], { queue: '1' })
  await pollUntil(() => b.jobs.queue.depth === 1)
  b.reply(addr)
  await lab.outcomes(first)
  await b.works(addr, 'run-schedule')
  const fails = () => pollUntil(() => b.log.some(line => line.includes(`job ${job} not started`)))
  const cancel = () => a.jobs.service.cancel(job, { caller: '', rights: everyone })
  return { ...opened, job, fails, cancel }
}

test('a queued part is sent once although the result of its claim was lost', async () => {
  const { lab, memory, clock, b, job, fails } = await openQueued()
  memory.losesReplyOf = 'change'
  b.reply(addr)
  await fails()
  await clock.advance(5000)
  await b.works(addr)
  b.reply(addr)
  equal(await lab.outcomes(job), ['success'])
  equal(b.sent, [`${addr} shell-run`, `${addr} run-schedule`, `${addr} shell-run`])
  await lab.close()
})

test('such a part is cancelled on any host, and is not sent then', async () => {
  const { lab, memory, clock, b, job, fails, cancel } = await openQueued()
  memory.losesReplyOf = 'change'
  b.reply(addr)
  await fails()
  await cancel()
  equal(await lab.outcomes(job), ['cancelled by request'])
  await clock.advance(5000)
  equal([b.jobs.queue.depth, b.sent.length], [0, 2])
  await lab.close()
})

test('a part that is cancelled while its claim is stored, and was not sent then, is cancelled when it is queued again', async () => {
  const { lab, memory, clock, b, job, fails, cancel } = await openQueued()
  memory.losesReplyOf = 'change'
  memory.beforeLoss = async () => {
    await cancel()
    await new Promise(setImmediate)
  }
  b.reply(addr)
  await fails()
  equal(await lab.states(job), ['sent'])
  await clock.advance(5000)
  equal(await lab.outcomes(job), ['cancelled by request'])
  equal(b.sent.length, 2)
  await lab.close()
})

test('when such a client moves meanwhile, its new host sends the part', async () => {
  const { lab, memory, clock, a, b } = await openLab()
  b.connect(addr)
  const first = await b.run('shell-run', [addr])
  const job = await a.run('shell-run', [addr], { queue: '1' })
  await pollUntil(() => b.jobs.queue.depth === 1)
  b.reply(addr)
  await lab.outcomes(first)
  await b.works(addr, 'run-schedule')
  memory.losesReplyOf = 'change'
  b.reply(addr)
  await pollUntil(() => b.log.some(line => line.includes(`job ${job} not started`)))
  a.connect(addr)
  await a.works(addr, 'run-schedule')
  a.reply(addr)
  await a.works(addr)
  a.reply(addr)
  equal(await lab.outcomes(job), ['success'])
  await clock.advance(10_000)
  equal(b.sent.length + a.sent.length, 4)
  await lab.close()
})

test('an outcome is stored when the database is back, and its events are emitted once', async () => {
  const { lab, memory, clock, a, b } = await openLab()
  b.connect(addr)
  const job = await a.run('shell-run', [addr])
  memory.isAway = true
  b.reply(addr)
  await pollUntil(() => b.log.some(line => line.includes('could not store 1 part updates')))
  memory.isAway = false
  memory.losesReplyOf = 'change'
  await clock.advance(1000)
  await pollUntil(async () => (await lab.states(job))[0] === 'success')
  await clock.advance(1000)
  equal(await lab.outcomes(job), ['success'])
  await pollUntil(() => b.emitted.some(({ type }) => type === 'job-finished'))
  is(b.emitted.filter(({ type }) => type === 'job-part').length, 1)
  await lab.close()
})

test('a host that is stopped while it reads a queue leaves the parts to the others', async () => {
  const { lab, memory, clock, a, b } = await openLab()
  b.connect(addr)
  await b.run('shell-run', [addr])
  const job = await a.run('shell-run', [addr], { queue: '1' })
  await pollUntil(() => b.jobs.queue.depth === 1)
  const queued = await memory.work.queued([addr])
  const reading = new Promise<() => void>(onRead => {
    memory.work.queued = () => new Promise(resolve => onRead(() => resolve(queued)))
  })
  b.connect(addr)
  const endRead = await reading
  await b.jobs.close()
  endRead()
  await new Promise(setImmediate)
  is(b.jobs.queue.depth, 0)
  await clock.advance(1_000_000)
  equal(await lab.states(job), ['queued'])
  await lab.close()
})

test.run()
