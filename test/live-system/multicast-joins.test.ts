// When the daemon begins to send an image to several computers at once, with a program in place of udp-sender that sends nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { Multicast } from '../../host/images/transfer/multicast.ts'
import { createLog } from '../../host/log/log.ts'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { serverAddress, startCopyLab } from '../harness/copy-lab.ts'
import { sayHello } from '../harness/hello.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { pollUntil } from '../harness/poll.ts'

const folder = mkdtempSync(join(tmpdir(), 'joins-'))
const started = join(folder, 'arguments')
writeFileSync(started, '')
writeFileSync(join(folder, 'udp-sender'), `#!/bin/sh\necho "$*" > ${started}\nexec sleep 1000\n`, { mode: 0o755 })
const { PATH } = process.env
process.env.PATH = `${folder}:${PATH}`

const options = { wait_seconds: 100, rate_mbit: 50, address: '239.1.2.3', port: 9000, ttl: 3 }
const transmission = { address: '239.1.2.3', port: 9000 }
const lab = await startCopyLab(options)
const test = suite('joins of a multicast')
test.after(async () => {
  await lab.stop()
  process.env.PATH = PATH
  rmSync(folder, { recursive: true })
})

const [first, second, third, off] = ['127.0.44.1', '127.0.44.2', '127.0.44.3', '127.0.44.4'] as const
const agents = new Map<string, Agent>()
for (const addr of [first, second, third, off]) await lab.addComputer(addr)
for (const addr of [first, second, third]) {
  const agent = await lab.agent(addr, { auto: false })
  sayHello(agent, { keys: ['transfer'] })
  const ready = lab.event('client-ready', { addr })
  await agent.next('/refresh')
  agent.reply({ status: 200 })
  await ready
  agents.set(addr, agent)
}
for (const name of ['debian', 'win11']) writeFileSync(lab.image(`${name}.img`), 'an image')

/** Of a computer that has got its request. */
interface Copy {
  join(): Promise<object>
  about(): Promise<object>
  fail(): Promise<unknown>
}

async function begin(addr: string): Promise<Copy> {
  const agent = agents.get(addr)
  if (!agent) throw new Error(`expected an agent, got none at ${addr}`)
  const { body } = await agent.next('/image/restore')
  // `as`: what the daemon adds for agents that know the key.
  const { ticket } = (body as { transfer: { ticket: string } }).transfer
  return {
    join: () => ask(addr, 'POST /join', ticket),
    about: () => ask(addr, 'GET /about', ticket),
    fail() {
      const ended = lab.event('command-ended', { addr })
      agent.reply({ status: 500 })
      return ended
    },
  }
}

/** Resolves to the response of the daemon. */
const ask = (localAddress: string, route: string, ticket: string): Promise<object> =>
  new Promise((resolve, reject) => {
    const [method, path] = route.split(' ')
    const to = { host: '127.0.0.1', port: lab.port, localAddress, method, path, agent: false }
    request({ ...to, headers: { Authorization: ticket } }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', slice => (text += slice))
      response.on('end', () => resolve(JSON.parse(text)))
    })
      .on('error', reject)
      .end()
  })

async function restore(clients: string[], more: { name?: string; query?: string; type?: string } = {}) {
  const { name = 'debian', query = '', type = 'MULTICAST' } = more
  const place = { disk: '1', partition: '1', name, repository: serverAddress, id: '0', profile: '0' }
  const response = await lab.call(`POST /image/restore${query}`, { clients, ...place, type })
  is(response.status, 200, String(response.headers['x-reason']))
  const copies = await Promise.all(clients.filter(addr => addr !== off).map(begin))
  return { copies, job: jobIdOf(response) }
}

const failAll = (copies: Copy[]) => Promise.all(copies.map(copy => copy.fail()))

test('it begins when all computers of the job have joined', async () => {
  const { copies } = await restore([first, second, third])
  equal(await Promise.all(copies.map(copy => copy.join())), [transmission, transmission, transmission])
  // The program runs, but may not have written yet.
  await pollUntil(() => readFileSync(started, 'utf8') !== '')
  const words = readFileSync(started, 'utf8')
  match(words, /--file \S+\/images\/debian\.img --interface 127\.0\.0\.1 --portbase 9000 /)
  match(words, /--max-bitrate 50m --ttl 3 --min-receivers 3 /)
  await failAll(copies)
})

test('a computer that fails is not expected any more', async () => {
  const { copies } = await restore([first, second, third])
  const [one, two, three] = copies
  const joined = Promise.all([one?.join(), two?.join()])
  await three?.fail()
  equal(await joined, [transmission, transmission])
  await Promise.all([one?.fail(), two?.fail()])
})

test('a queued computer is expected until its part is cancelled', async () => {
  const { copies, job } = await restore([first, second, off], { query: '?queue=1' })
  const joined = Promise.all(copies.map(copy => copy.join()))
  // The daemon has these requests later.
  await Promise.all(copies.map(copy => copy.about()))
  is((await lab.call('POST /job/cancel', { id: String(job), clients: [off] })).status, 200)
  equal(await joined, [transmission, transmission])
  await failAll(copies)
})

test('one computer alone downloads the image, and so does each without multicast', async () => {
  for (const type of ['MULTICAST', 'UNICAST']) {
    const { copies } = await restore([first], { type })
    equal(await copies[0]?.join(), {})
    await failAll(copies)
  }
})

test('a second image waits until the first one is sent', async () => {
  const multicast = new Multicast({ ...deps, options })
  const [one, two] = [copyOf('debian'), copyOf('debian')]
  running = [one, two]
  await Promise.all([multicast.join(one, '127.0.0.1'), multicast.join(two, '127.0.0.1')])
  const others = [copyOf('win11'), copyOf('win11')]
  running.push(...others)
  const joined = Promise.all(others.map(copy => multicast.join(copy, '127.0.0.1')))
  for (const copy of [one, two]) multicast.leave(copy)
  equal(await joined, [transmission, transmission])
  multicast.close()
})

test('of those that are queued it waits for as many as may run at once, and not for those that have got it', async () => {
  const queueOf = async () => ({ queued: 18, most: 2 })
  const multicast = new Multicast({ ...deps, options, queueOf })
  running = [copyOf('debian'), copyOf('debian')]
  const join = () => Promise.all(running.slice(-2).map(copy => multicast.join(copy, '127.0.0.1')))
  equal(await join(), [transmission, transmission])
  // The next two, while the first ones still write.
  running.push(copyOf('debian'), copyOf('debian'))
  const joined = join()
  for (const copy of running.slice(0, 2)) multicast.leave(copy)
  running = running.slice(2)
  multicast.look()
  equal(await joined, [transmission, transmission])
  multicast.close()
})

test('after the limit it begins with those that have joined, and without any other one each downloads', async () => {
  const multicast = new Multicast({ ...deps, options: { ...options, wait_seconds: 0.01 } })
  const [one, two, three] = [copyOf('debian'), copyOf('debian'), copyOf('win11')]
  running = [one, two, copyOf('debian'), three, copyOf('win11')]
  const joined = [one, two, three].map(copy => multicast.join(copy, '127.0.0.1'))
  equal(await Promise.all(joined), [transmission, transmission, undefined])
  multicast.close()
})

let running: ReturnType<typeof copyOf>[] = []
const copyOf = (name: string) => ({ name, step: { job: { id: 1 }, index: 0 } })
const deps = {
  directory: folder,
  log: createLog(() => {}),
  copies: () => running,
  queueOf: async () => ({ queued: 0, most: Number.POSITIVE_INFINITY }),
}

test.run()
