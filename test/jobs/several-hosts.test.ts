// Several hosts over a store in memory, and what happens when results of the database get lost.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { testSeveralHosts } from '../conformance/several-hosts.ts'
import { openMemoryLab, openSharedMemory } from '../harness/memory-lab.ts'
import { pollUntil } from '../harness/poll.ts'

testSeveralHosts('memory', openSharedMemory)

const test = suite('results that get lost')
const addr = '10.0.0.1'

test('parts that were taken are sent once although the result of that was lost', async () => {
  const { lab, memory, a, b } = await openMemoryLab()
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
  const { lab, memory, a } = await openMemoryLab()
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

test('an outcome is stored when the database is back, and its events are emitted once', async () => {
  const { lab, memory, clock, a, b } = await openMemoryLab()
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
  const { lab, memory, clock, a, b } = await openMemoryLab()
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
