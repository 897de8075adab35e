// Commands that copy images: their progress, and outcomes that follow from the client's log, not from its reply alone.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { jobIdOf } from '../harness/job-results.ts'
import { startLab } from '../harness/lab.ts'
import { restorePayload, restoreReply } from '../harness/lab-images.ts'
import { pollUntil } from '../harness/poll.ts'
import { startQuietTimer } from '../harness/quiet-timer.ts'

export const runs = { seconds: 10 }

const lab = await startLab({ subnet: '127.0.61', logs: { period_seconds: 1 } })
const complete = 'Completed: 100.00%, Rate: 5.00GB/min, Remaining: 00:00:00\nCloned successfully.\n'

/** State and reason of a restore whose log has this text when the agent replies. */
async function outcomeOf(text: string, reply = restoreReply, before = ''): Promise<[string, string | undefined]> {
  const client = await lab.imagingClient()
  client.log.text = before
  const job = await lab.restore(client)
  client.log.text = text
  const { state, reason } = await lab.reply(job, client, reply)
  return [state, reason]
}

const imageOf = async (addr: string) =>
  (await lab.call('GET /client/setup', { client: [addr] })).json.partitions[1].image

const test = suite('watched imaging commands')
test.after(() => lab.stop())

test('a reply 200 is a success when the log says that the copy is complete', async () => {
  equal(await outcomeOf(complete), ['success', undefined])
})

test('a reply 200 is a failure when the log has an error, and the reason is that line', async () => {
  equal(await outcomeOf(`Completed: 30.11%\nlzop: No space left on device\nlzop: Broken pipe\n${complete}`), [
    'failure',
    'lzop: No space left on device',
  ])
})

test('a reply 200 is a failure when the copy has ended below 100 %', async () => {
  equal(await outcomeOf('Completed: 30.11%, Rate: 1.00GB/min\n'), [
    'failure',
    'ended at 30.1 %: Completed: 30.11%, Rate: 1.00GB/min',
  ])
})

test('what the log reports soon after the reply still counts', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  client.log.text = 'Completed: 99.10%\n'
  const { requests } = client.log
  const ended = lab.reply(job, client)
  await client.log.answered(requests + 1)
  client.log.text = `Completed: 99.10%\n${complete}`
  is((await ended).state, 'success')
})

test('the failed copy leaves no image on the partition, and the client shows the failure', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  client.log.text = 'error: broken\n'
  const failed = lab.event('client-state', { addr: client.addr })
  is((await lab.reply(job, client)).state, 'failure')
  await failed
  is(await imageOf(client.addr), 0)
  const { clients } = (await lab.call('GET /clients')).json
  equal(clients.find(({ addr }: { addr: string }) => addr === client.addr).last_cmd, { result: 'failure' })
})

test('a failure that the agent reports has the line of the log as its reason, when there is one', async () => {
  equal(
    await outcomeOf('Target partition size(5 MB) is smaller than source(9 MB).\n', { ...restoreReply, status: 500 }),
    ['failure', 'Target partition size(5 MB) is smaller than source(9 MB).'],
  )
  equal(await outcomeOf(complete, { ...restoreReply, status: 500 }), ['failure', 'agent replied 500'])
  const odd = { status: 200, body: { disk: '1', partition: '2', image_id: '1' } }
  match((await outcomeOf(complete, odd))[1] ?? '', /^reply not understood/)
})

test('a log that says nothing known does not confirm the success', async () => {
  equal(await outcomeOf('hello\n'), ['success', 'not confirmed: the log says nothing about this command'])
})

test('the log of an earlier command is not taken for that of this one', async () => {
  const old = `error: of yesterday\n${complete}`
  equal(await outcomeOf(old, restoreReply, old), ['success', 'not confirmed: the log says nothing about this command'])
  equal(await outcomeOf(old + complete, restoreReply, old), ['success', undefined])
})

test('a log that cannot be read does not confirm the success', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  client.log.respond = response => response.writeHead(404).end()
  const { state, reason } = await lab.reply(job, client)
  equal([state, reason], ['success', 'not confirmed: the log could not be read: status 404'])
})

test('a server that hangs delays the outcome by a few seconds only, and others not at all', async () => {
  const [hanging, good] = [await lab.imagingClient(), await lab.imagingClient()]
  const job = await lab.restore(hanging, good)
  hanging.log.respond = () => {}
  const time = startQuietTimer()
  const ended = lab.reply(job, hanging)
  good.log.text = complete
  is((await lab.reply(job, good)).state, 'success')
  const { state, reason } = await ended
  is(state, 'success')
  match(reason ?? '', /^not confirmed: the log could not be read/)
  ok(time() < 15_000)
})

test('progress is in events and in GET /jobs/<id> while the part runs', async () => {
  const client = await lab.imagingClient()
  const { addr } = client
  const job = await lab.restore(client)
  const progressOf = async () => (await lab.call(`GET /jobs/${job}`)).json.parts[0].progress
  is(await progressOf(), undefined)
  const first = lab.event('job-progress', { addr })
  client.log.text = 'Elapsed: 00:00:02, Remaining: 00:01:30, Completed:  12.34%, Rate:   6.00GB/min,\n'
  const progress = { percent: 12.3, rate: 100_000_000, remaining: 90 }
  equal(await first, { type: 'job-progress', job, step: 0, addr, command: 'image-restore', ...progress })
  equal(await progressOf(), progress)
  const second = lab.event('job-progress', { addr })
  client.log.text = 'Completed:  50.00%\n'
  is((await second).percent, 50)
  equal(await progressOf(), { percent: 50 })
  client.log.text = complete
  await lab.reply(job, client)
  is(await progressOf(), undefined)
})

test('the log is not read any more when the command has ended, however that was', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  const ended = lab.event('job-part', { job })
  client.agent.destroy()
  equal([(await ended).state, (await ended).reason], ['failure', 'connection lost'])
  const { requests } = client.log
  await new Promise(resolve => setTimeout(resolve, 1500))
  is(client.log.requests, requests)
})

test('a stop that interrupts while the reply is judged ends the command at once', async () => {
  const client = await lab.imagingClient()
  const job = await lab.restore(client)
  client.log.respond = () => {}
  const { requests } = client.log
  client.agent.answer(200, restoreReply.body)
  await pollUntil(() => client.log.requests > requests)
  const ended = lab.event('job-part', { job })
  await lab.call('POST /stop', { clients: [client.addr] })
  equal([(await ended).state, (await ended).reason], ['failure', 'interrupted by stop'])
})

test('a queued part is watched as well', async () => {
  const client = await lab.imagingClient()
  const payload = { clients: [client.addr], ...restorePayload }
  const job = await lab.restore(client)
  const queued = jobIdOf(await lab.call('POST /image/restore?queue=1', payload))
  client.log.text = complete
  is((await lab.reply(job, client)).state, 'success')
  await client.agent.next('/run/schedule')
  client.agent.answer(200)
  const { requests } = client.log
  await client.agent.next('/image/restore')
  await client.log.answered(requests + 1)
  client.log.text = `${complete}error: second\n`
  equal((await lab.reply(queued, client)).reason, 'error: second')
})

test('commands that copy no image are not watched', async () => {
  const client = await lab.imagingClient()
  const { requests } = client.log
  const job = jobIdOf(await lab.call('POST /shell/run', { clients: [client.addr], run: 'true', echo: false }))
  await client.agent.next('/shell/run')
  is((await lab.reply(job, client, { status: 200, body: {} })).state, 'success')
  is(client.log.requests, requests)
})

test.run()
