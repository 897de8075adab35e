// Two hosts: the store takes a claim, or not, and its answer gets lost.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { addCenter } from '../conformance/samples.ts'
import { everyone } from '../harness/lab-host.ts'
import { openMemoryLab } from '../harness/memory-lab.ts'
import { pollUntil } from '../harness/poll.ts'

const test = suite('claims without an answer')
const addr = '10.0.0.1'

/** A part of a job waits at `b` until its client replies, and is claimed then. */
async function openQueued() {
  const opened = await openMemoryLab()
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
  const { lab, memory, clock, a, b, job, fails } = await openQueued()
  memory.losesReplyOf = 'change'
  b.reply(addr)
  await fails()
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

test('a place that a part has in the store only is given back, also while one before it is refused for that', async () => {
  const { lab, memory, clock, a, b } = await openMemoryLab()
  const second = '10.0.0.2'
  for (const each of [addr, second]) b.connect(each)
  const first = await b.run('shell-run', [addr, second])
  const steps = [{ command: 'shell-run', params: {} }]
  const center = await addCenter(lab.store)
  const task = { center, name: 'x', description: '', steps, clients: [addr, second], options: { batch: 1 } }
  const id = Number(await lab.store.tasks.add(task))
  const job = Number(await a.jobs.service.runTask(id, { caller: '', rights: everyone }))
  await pollUntil(() => b.jobs.queue.depth === 2)
  b.reply(second)
  await pollUntil(async () => (await lab.states(first))[1] === 'success')
  await b.works(second, 'run-schedule')
  memory.losesReplyOf = 'change'
  b.reply(second)
  await pollUntil(() => b.log.some(line => line.includes(`job ${job} not started`)))
  equal(await lab.states(job), ['queued', 'sent'])
  b.reply(addr)
  await lab.outcomes(first)
  await b.works(addr, 'run-schedule')
  b.reply(addr)
  for (let seconds = 0; seconds < 10; seconds += 1) {
    await clock.advance(1000)
    await new Promise(resolve => setTimeout(resolve))
  }
  for (const each of [addr, second]) {
    await b.works(each, 'shell-run')
    b.reply(each)
  }
  equal(await lab.outcomes(job), ['success', 'success'])
  await lab.close()
})

test.run()
