// The logs of many clients at once: how many are read together, and what servers cost that hang or send junk.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { followJobs } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import type { ImagingClient } from '../harness/lab-images.ts'
import { pollUntil } from '../harness/poll.ts'

export const runs = { seconds: 10, hosts: false }

const lab = await startLab({ subnet: '127.0.64', logs: { period_seconds: 1 } })
const jobs = followJobs(lab)
const clients: ImagingClient[] = []
for (let count = 0; count < 100; count += 1) clients.push(await lab.imagingClient())
const [junk, ...good] = clients
if (!junk) throw new Error('no clients')

/** Requests that the servers have not answered. */
let open = 0
let most = 0

const test = suite('logs of 100 clients')
test.after(() => lab.stop())

test('at most 32 logs are read at the same time, and all of them in time', async () => {
  for (const { log } of clients) {
    log.respond = response => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        response.end(log.text)
      }, 20)
    }
  }
  const job = await lab.restore(...clients)
  ok(most > 1 && most <= 32, `${most}`)
  for (const { log } of clients) log.text = 'Completed: 10.00%, Rate: 6.00GB/min, Remaining: 00:01:30\n'
  const progress = async () => (await lab.call(`GET /jobs/${job}`)).json.parts
  await pollUntil(async () => (await progress()).every((part: { progress?: object }) => part.progress !== undefined))
  ok(most <= 32, `${most}`)
  for (const { log } of clients) log.respond = undefined
  junk.log.respond = response => {
    response.end(Buffer.alloc(4_000_000, 'Completed: 5.00%\n'))
  }
  for (const { log } of good) log.text = 'Completed: 100.00%\n'
  for (const { agent } of clients) agent.answer(200, { disk: '1', partition: '1', image_id: '1' })
  const parts = await jobs.finished(job)
  equal(
    parts.filter(({ client, reason }) => client !== junk.addr && reason !== undefined),
    [],
  )
  const [bad] = parts.filter(({ client }) => client === junk.addr)
  equal(
    [bad?.state, bad?.reason],
    ['success', 'not confirmed: the log could not be read: expected at most 2097152 bytes, got more'],
  )
})

test('servers that hang are asked less and less often, and those that respond as before', async () => {
  const [hanging, quick] = good
  if (!hanging || !quick) throw new Error('no clients')
  hanging.log.respond = () => {}
  const before = [hanging.log.requests, quick.log.requests]
  const counts = () => [hanging.log.requests - (before[0] ?? 0), quick.log.requests - (before[1] ?? 0)]
  quick.log.text = ''
  const payload = { disk: '1', partition: '1', name: 'debian', repository: '10.1.1.1', type: 'UNICAST' }
  const addrs = [hanging.addr, quick.addr]
  await lab.call('POST /image/restore', { clients: addrs, ...payload, profile: '1', id: '1' })
  await pollUntil(() => (counts()[1] ?? 0) >= 8)
  const [slow = 0] = counts()
  // After 2 s, then 2 s later, then 4 s later.
  ok(slow >= 1 && slow <= 4, `${slow}`)
  is(hanging.log.most, 1)
})

test.run()
