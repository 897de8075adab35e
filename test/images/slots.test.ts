// Slots of a repository: how many clients copy images at once, who is next, and that no slot is ever lost.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { layout, restorePayload, restoreReply } from '../harness/lab-images.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const host = await startTestHost()
const jobs = followJobs(host)
const auto = { '/refresh': { status: 200, body: layout }, '/run/schedule': { status: 200 } }
let added = 0

async function newClients(count: number): Promise<Agent[]> {
  const clients: Agent[] = []
  for (let at = 0; at < count; at += 1) {
    added += 1
    const addr = `127.0.84.${added}`
    await host.addComputer(addr)
    const ready = host.event('client-ready', { addr })
    clients.push(await host.agent(addr, { auto }))
    await ready
  }
  return clients
}

let repositories = 1
async function newRepository(slots: number): Promise<{ address: string; id: number }> {
  repositories += 1
  const address = `10.9.0.${repositories}`
  const { status } = await host.call('POST /repository/add', { name: `Repository ${repositories}`, ip: address, slots })
  is(status, 200)
  return { address, id: repositories }
}

const restore = async (repository: string, clients: Agent[], query = '') => {
  const payload = { clients: clients.map(({ addr }) => addr), ...restorePayload, repository }
  return jobIdOf(await host.call(`POST /image/restore${query}`, payload))
}

const asked = (clients: Agent[]) =>
  clients.filter(({ requests }) => requests.some(({ path }) => path === '/image/restore'))

/** Waits until so many of them were asked, and returns these. */
async function askedOf(clients: Agent[], count: number): Promise<Agent[]> {
  await pollUntil(() => asked(clients).length >= count)
  return asked(clients)
}

const waiting = async (job: number) =>
  (await host.call(`GET /jobs/${job}`)).json.parts.map(
    ({ state, waiting: wait }: { state: string; waiting?: { for: string; place?: number } }) =>
      wait ? `${state} ${wait.for} ${wait.place}` : state,
  )

const test = suite('slots of repositories')
test.after(() => host.stop())

test('of a restore for more clients than slots the others wait with their place', async () => {
  const repository = await newRepository(2)
  const clients = await newClients(4)
  const job = await restore(repository.address, clients)
  const first = await askedOf(clients, 2)
  await pollUntil(async () => (await waiting(job)).join().includes('slot 2'))
  equal((await waiting(job)).sort(), ['queued slot 1', 'queued slot 2', 'sent', 'sent'])
  first[0]?.reply(restoreReply)
  is((await askedOf(clients, 3)).length, 3)
  await pollUntil(async () => (await waiting(job)).filter((state: string) => state.startsWith('queued')).length === 1)
  const [third] = asked(clients).filter(agent => !first.includes(agent))
  third?.destroy()
  is((await askedOf(clients, 4)).length, 4)
  for (const agent of clients) if (agent !== first[0] && agent !== third) agent.reply(restoreReply)
  const states = (await jobs.finished(job)).map(({ state }) => state).sort()
  equal(states, ['failure', 'success', 'success', 'success'])
})

test('who comes later waits behind those that wait, and no other repository is concerned', async () => {
  const repository = await newRepository(1)
  const [one, two, three, other] = await newClients(4)
  ok(one && two && three && other)
  await restore(repository.address, [one])
  await askedOf([one], 1)
  const second = await restore(repository.address, [two])
  const third = await restore(repository.address, [three])
  await pollUntil(async () => (await waiting(third)).join() === 'queued slot 2')
  await restore((await newRepository(1)).address, [other])
  await askedOf([other], 1)
  one.reply(restoreReply)
  await askedOf([two], 1)
  equal([await waiting(second), await waiting(third)], [['sent'], ['queued slot 1']])
  two.reply(restoreReply)
  await askedOf([three], 1)
  three.reply(restoreReply)
  other.reply(restoreReply)
  await jobs.finished(third)
})

test('a client that is off does not wait for a slot; one that reboots while it waits loses only its turn', async () => {
  const repository = await newRepository(1)
  const [one, two, three] = await newClients(3)
  ok(one && two && three)
  const first = await restore(repository.address, [one])
  await askedOf([one], 1)
  const second = await restore(repository.address, [two])
  await restore(repository.address, [three])
  await pollUntil(async () => (await waiting(second)).join() === 'queued slot 1')
  const gone = host.event('client-gone', { addr: two.addr })
  two.destroy()
  await gone
  one.reply(restoreReply)
  await askedOf([three], 1)
  const back = await host.agent(two.addr, { auto })
  three.reply(restoreReply)
  await askedOf([back], 1)
  back.reply(restoreReply)
  await jobs.finished(second)
  is((await jobs.states(first))[0], 'success')
})

test('more slots start those that wait at once; 0 slots limit nothing', async () => {
  const repository = await newRepository(1)
  const clients = await newClients(4)
  const job = await restore(repository.address, clients)
  await askedOf(clients, 1)
  await host.call('POST /repository/update', { repository: String(repository.id), slots: 3 })
  await askedOf(clients, 3)
  await pollUntil(async () => (await waiting(job)).join().includes('slot 1'))
  await host.call('POST /repository/update', { repository: String(repository.id), slots: 0 })
  await askedOf(clients, 4)
  for (const agent of clients) agent.reply(restoreReply)
  await jobs.finished(job)
})

test('a cancelled part leaves its place', async () => {
  const repository = await newRepository(1)
  const [one, two] = await newClients(2)
  ok(one && two)
  const first = await restore(repository.address, [one])
  await askedOf([one], 1)
  const second = await restore(repository.address, [two])
  await pollUntil(async () => (await waiting(second)).join() === 'queued slot 1')
  await host.call('POST /job/cancel', { id: String(second) })
  await pollUntil(async () => (await jobs.states(second))[0] === 'cancelled')
  one.reply(restoreReply)
  await jobs.finished(first)
  const third = await restore(repository.address, [two])
  await askedOf([two], 1)
  two.reply(restoreReply)
  await jobs.finished(third)
})

test('a part that is skipped when its turn comes leaves its slot to the next one', async () => {
  const repository = await newRepository(1)
  const [one, two, three] = await newClients(3)
  ok(one && two && three)
  await restore(repository.address, [one])
  await askedOf([one], 1)
  const second = await restore(repository.address, [two])
  const third = await restore(repository.address, [three])
  await pollUntil(async () => (await waiting(third)).join() === 'queued slot 2')
  const login = host.event('session-login', { addr: two.addr })
  two.event('start', 'ana')
  await login
  one.reply(restoreReply)
  await askedOf([three], 1)
  three.reply(restoreReply)
  await jobs.finished(third)
  equal(await jobs.states(second), ['skipped'])
})

test.run()
