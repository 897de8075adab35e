// What is known before an image is copied or a disk partitioned: clients that cannot succeed are skipped with a reason.
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { restorePayload, restoreReply } from '../harness/lab-images.ts'
import { startTestHost } from '../harness/test-host.ts'

const address = '127.0.0.1'
const host = await startTestHost({ options: { boot: { server: address } } })
const jobs = followJobs(host)
let added = 0

const row = (partition: string, code: string, size: string) => ({
  disk: '1',
  partition,
  code,
  filesystem: 'EXT4',
  os: '',
  size,
  used_size: '50',
})
// KiB: 100 GB; partitions of 50 GB, 4 GB swap and a cache of 1 GB.
const inventory = {
  disk_setup: [row('0', '1', '100000000')],
  partition_setup: [row('1', '83', '50000000'), row('2', '82', '4000000'), row('4', 'CA', '1000000')],
  serial_number: '',
}

async function newClient(body: object = inventory): Promise<Agent> {
  added += 1
  const addr = `127.0.85.${added}`
  await host.addComputer(addr)
  const ready = host.event('client-ready', { addr })
  const agent = await host.agent(addr, {
    auto: { '/refresh': { status: 200, body }, '/run/schedule': { status: 200 } },
  })
  await ready
  return agent
}

const payloadFor = (clients: Agent[], more: object = {}) => ({
  clients: clients.map(({ addr }) => addr),
  ...restorePayload,
  ...more,
})

async function outcomes(route: string, payload: object): Promise<[string, string | undefined][]> {
  const response = await host.call(route, payload)
  equal([response.status, response.text], [200, ''])
  return jobs.outcomes(jobIdOf(response))
}

const refusals = async (route: string, payload: object) =>
  (await host.call(`${route}?dry_run=1`, payload)).json.clients.map(({ refused }: { refused?: string }) => refused)

const createPayload = { disk: '1', partition: '1', code: '131', name: 'new', repository: address, id: '0' }

const test = suite('preflight')
test.after(() => host.stop())

test('a restore to a partition that does not exist, or that is the cache, is skipped, and nothing is sent', async () => {
  const agent = await newClient()
  equal(await outcomes('POST /image/restore', payloadFor([agent], { partition: '7' })), [
    ['skipped', 'disk 1 has no partition 7'],
  ])
  equal(await outcomes('POST /image/restore', payloadFor([agent], { partition: '4' })), [
    ['skipped', 'disk 1 partition 4 is the cache'],
  ])
  equal(
    agent.requests.map(({ path }) => path),
    ['/refresh'],
  )
})

test('only the clients that cannot succeed are skipped; nothing known is no reason', async () => {
  const [one, other, unknown] = [await newClient(), await newClient(), await newClient({})]
  const login = host.event('session-login')
  other.event('start', 'ana')
  await login
  const response = await host.call('POST /image/restore', payloadFor([one, other, unknown]))
  for (const agent of [one, unknown]) {
    await agent.next('/image/restore')
    agent.reply(restoreReply)
  }
  const parts = await jobs.finished(jobIdOf(response))
  equal(Object.fromEntries(parts.map(({ client, state, reason }) => [client, reason ?? state])), {
    [one.addr]: 'success',
    [other.addr]: 'ana is logged in',
    [unknown.addr]: 'success',
  })
})

test('a client that runs another system is skipped', async () => {
  const agent = await newClient({ ...inventory, status: 'WIN' })
  const [reason] = await refusals('POST /image/restore', payloadFor([agent]))
  is(reason, 'runs Windows, not the live system')
})

test('dry_run answers for each client, and sends and stores nothing', async () => {
  const [one, other] = [await newClient(), await newClient()]
  const { json, headers } = await host.call(
    'POST /image/restore?dry_run=1',
    payloadFor([one, other], { partition: '2' }),
  )
  const content = { system: '', filesystem: 'EXT4', another_system: false }
  equal(json, {
    clients: [
      { client: one.addr, ...content },
      { client: other.addr, ...content },
    ],
  })
  is(headers['x-job-id'], undefined)
  await host.addComputer('127.0.85.200')
  const off = await host.call('POST /image/restore?dry_run=1', { ...payloadFor([]), clients: ['127.0.85.200'] })
  equal(off.json, { clients: [{ client: '127.0.85.200', refused: 'not connected' }] })
  is((await host.call('POST /image/restore?dry_run=2', payloadFor([one]))).status, 400)
  is((await host.call('POST /image/restore?dry_run=1', { clients: [one.addr] })).status, 400)
  const named = { ...createPayload, description: 'New' }
  equal(await refusals('POST /image/create', { clients: [one.addr], ...named }), [undefined])
  equal((await host.call('GET /images')).json.images, [])
})

test('an image is not made of swap space, of a cache, or of what the disk does not have', async () => {
  const agent = await newClient()
  const clients = [agent.addr]
  equal(await refusals('POST /image/create', { clients, ...createPayload, partition: '2' }), [
    'disk 1 partition 2 is swap space',
  ])
  equal(await refusals('POST /image/create', { clients, ...createPayload, code: '202' }), [
    'partition type 202: such a partition is the cache',
  ])
  equal(await outcomes('POST /image/create', { clients, ...createPayload, partition: '9' }), [
    ['skipped', 'disk 1 has no partition 9'],
  ])
})

test('a disk is not partitioned beyond its size; of a disk that is not known nothing is', async () => {
  const agent = await newClient()
  const slot = (partition: number, size: number) => ({ partition, code: 'LINUX', filesystem: 'EXT4', size, format: 1 })
  const setup = { clients: [agent.addr], type: 'MSDOS', disk: '1', cache: '0', cache_size: '0' }
  const slots = (size: number) => [1, 2, 3, 4].map(partition => slot(partition, size))
  equal(await refusals('POST /setup', { ...setup, partition_setup: slots(25_000_000) }), [undefined])
  const [reason] = await refusals('POST /setup', { ...setup, partition_setup: slots(25_000_001) })
  match(reason, /^disk 1 has 102.4 GB, the partitions need 102.4 GB$/)
  equal(await refusals('POST /setup', { ...setup, disk: '2', partition_setup: slots(1) }), [undefined])
})

test('a queued restore is checked when its turn comes', async () => {
  const agent = await newClient()
  await host.call('POST /shell/run', { clients: [agent.addr], run: 'x', echo: false })
  await agent.next('/shell/run')
  const queued = payloadFor([agent], { partition: '7' })
  // Direct and from the queue: what is known when it is asked for is no reason to wait.
  equal(await outcomes('POST /image/restore?queue=1', queued), [['skipped', 'disk 1 has no partition 7']])
  const response = await host.call('POST /image/restore?queue=1', payloadFor([agent]))
  const login = host.event('session-login')
  agent.event('start', 'ana')
  await login
  agent.answer(200)
  equal(
    (await jobs.finished(jobIdOf(response))).map(({ state, reason }) => [state, reason]),
    [['skipped', 'ana is logged in']],
  )
})

test('a restore from this server needs the file, and space for what is in it, in the cache too', async () => {
  const agent = await newClient()
  const clients = [agent.addr]
  const files = join(host.folder, 'images')
  const create = { clients, ...createPayload, name: 'win11', description: 'Windows 11' }
  const response = await host.call('POST /image/create', create)
  const { body } = await agent.next('/image/create')
  writeFileSync(join(files, 'win11.img'), 'x')
  writeFileSync(join(files, 'win11.img.full.sum'), 'x')
  const id = (body as { id: string }).id // `as`: the request of an image has one.
  const reply = { disk: '1', partition: '1', code: '131', id, name: 'win11', repository: address, software: 'x\n' }
  agent.answer(200, { ...reply, clonator: 'a', compressor: 'b', filesystem: 'EXT4', datasize: 30_000_000_000 })
  const [part] = await jobs.finished(jobIdOf(response))
  is(part?.state, 'success', part?.reason)
  const restore = { clients, ...restorePayload, repository: address, id, name: 'win11' }
  equal(await refusals('POST /image/restore', restore), [undefined])
  equal(await refusals('POST /image/restore', { ...restore, name: 'other' }), ['there is no file other.img'])
  const [small] = await refusals('POST /image/restore', { ...restore, partition: '2' })
  is(small, 'disk 1 partition 2 has 4.1 GB, image win11 needs 30.0 GB')
  truncateSync(join(files, 'win11.img'), 2_000_000_000)
  const [cache] = await refusals('POST /image/restore', { ...restore, type: 'TORRENT' })
  is(cache, 'its cache has 1.0 GB, image win11 needs 2.0 GB')
  truncateSync(join(files, 'win11.img'), 15e12)
  const [full] = await refusals('POST /image/create', { clients, ...createPayload, name: 'win11', id })
  ok(/^the repository has .* GB free, needs about 15000.0 GB$/.test(full), full)
})

test.run()
