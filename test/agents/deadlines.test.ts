// Deadlines, interruptions, and which command an answer belongs to.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { startLab } from '../harness/test-host.ts'

/** Seconds that are over soon enough for a test. */
const soon = 0.05

// Two labs: where the deadlines pass by themselves, and where only the test makes things end.
const hasty = await startLab({ options: { deadlines: { 'shell-run': soon, stop: soon, refresh: soon } } })
const calm = await startLab()
let last = 0

async function busy(lab = calm, route = 'POST /shell/run', payload: object = { run: 'true', echo: true }) {
  last += 1
  const addr = `127.0.4.${last}`
  const agent = await lab.agent(addr)
  const ended = lab.event('command-ended', { addr })
  await lab.call(route, { clients: [addr], ...payload })
  await agent.next()
  return { addr, agent, ended }
}

const outputOf = async (addr: string, lab = calm) =>
  (await lab.call('POST /shell/output', { clients: [addr] })).json.clients[0]?.output

const deadlines = suite('deadlines')

deadlines('past its deadline a command is a failure and the client is free again', async () => {
  const { addr, agent, ended } = await busy(hasty)
  equal(await ended, {
    type: 'command-ended',
    addr,
    command: 'shell-run',
    result: 'failure',
    reason: 'no answer in time',
    overdue: true,
  })
  agent.overdue()
  await hasty.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

deadlines('an overdue answer that comes while nothing is pending is dropped', async () => {
  const { addr, agent, ended } = await busy(hasty)
  await ended
  agent.answer(200, { out: 'too late' })
  await hasty.logged(new RegExp(`${addr}: answer 200 dropped: it belongs to a command that has ended`))
  is(await outputOf(addr, hasty), '')
})

deadlines('an overdue answer that does not fit the pending command is dropped, the right one counts', async () => {
  const { addr, agent, ended } = await busy(hasty)
  await ended
  agent.overdue()
  const hardware = hasty.event('command-ended', { addr, command: 'hardware' })
  await hasty.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
  agent.answer(200, { out: 'too late' })
  await hasty.logged(new RegExp(`${addr}: answer 200 dropped`))
  agent.answer(200, { hardware: 'cpu=one' })
  is((await hardware).result, 'success')
})

deadlines('a first refresh that is never answered leaves a client that takes commands', async () => {
  const agent = await hasty.agent('127.0.4.200', { auto: false })
  await hasty.event('command-ended', { addr: '127.0.4.200', command: 'refresh' })
  await agent.next('/refresh')
  agent.overdue()
  await hasty.call('POST /hardware', { clients: ['127.0.4.200'] })
  await agent.next('/hardware')
})

deadlines(
  'after stop a client whose owed answer does not come is free when the deadline of stop has passed',
  async () => {
    const { addr, agent } = await busy(hasty, 'POST /hardware', {})
    const stopped = hasty.event('command-ended', { addr, command: 'stop' })
    await hasty.call('POST /stop', { clients: [addr] })
    await agent.next('/stop')
    is((await stopped).result, 'success')
    agent.overdue()
    await hasty.call('POST /software', { clients: [addr], disk: '1', partition: '1' })
    await agent.next('/software')
  },
)

deadlines.run()

const interruptions = suite('interruptions')

for (const command of ['stop', 'reboot', 'poweroff']) {
  interruptions(`${command} is forwarded to a busy client and ends its command at once as a failure`, async () => {
    const { addr, agent, ended } = await busy()
    await calm.call(`POST /${command}`, { clients: [addr] })
    await agent.next(`/${command}`)
    equal((await ended).reason, `interrupted by ${command}`)
  })
}

interruptions('stop is a success when it is written; with nothing owed the client is free at once', async () => {
  const { addr, agent, ended } = await busy(calm, 'POST /stop', {})
  is((await ended).result, 'success')
  await calm.call('POST /hardware', { clients: [addr] })
  await agent.next('/hardware')
})

interruptions('after stop the client is busy until the owed answer comes', async () => {
  const { addr, agent } = await busy()
  const stopped = calm.event('command-ended', { addr, command: 'stop' })
  await calm.call('POST /stop', { clients: [addr] })
  await agent.next('/stop')
  const { json } = await calm.call('GET /clients')
  const shown = json.clients.find((client: { addr: string }) => client.addr === addr)
  equal([shown.state, shown.last_cmd.result], ['BSY', 'success'])
  await calm.call('POST /hardware', { clients: [addr] })
  agent.answer(500)
  await stopped
  await calm.call('POST /run/schedule', { clients: [addr] })
  // The hardware request was skipped: the client had a last command.
  await agent.next('/run/schedule')
})

interruptions('the output of a script that was stopped is not kept', async () => {
  const { addr, agent } = await busy()
  const stopped = calm.event('command-ended', { addr, command: 'stop' })
  await calm.call('POST /stop', { clients: [addr] })
  await agent.next('/stop')
  agent.answer(200, { out: 'half' })
  await stopped
  is(await outputOf(addr), '')
})

interruptions('an owed answer with a body is not taken for the answer to reboot', async () => {
  const { addr, agent } = await busy()
  const rebooted = calm.event('command-ended', { addr, command: 'reboot' })
  await calm.call('POST /reboot', { clients: [addr] })
  await agent.next('/reboot')
  agent.answer(200, { out: 'half' })
  await calm.logged(new RegExp(`${addr}: answer 200 dropped`))
  agent.answer(202)
  await agent.close()
  is((await rebooted).result, 'success')
})

interruptions.after(async () => {
  await hasty.stop()
  await calm.stop()
})
interruptions.run()
