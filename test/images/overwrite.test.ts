// Restores where another system stands: what previews show, what is refused, and what callers that never asked get.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { failingMethods, failingStoreFile } from '../harness/failing-store.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { replyToNext, startLab } from '../harness/lab.ts'
import { layout, root } from '../harness/lab-images.ts'

const lab = await startLab({ repository: true, options: { store: { adapter: failingStoreFile, path: './data' } } })
const jobs = followJobs(lab)
const withSystem = (os: string) => lab.computer({ ...layout, partition_setup: [{ ...root, os }] })
const source = await withSystem('Debian 12')
const same = await withSystem('Debian GNU/Linux 12.5 (bookworm)')
const windows = await withSystem('Windows 10 Pro')
await lab.create(source, { description: 'A system' }, { content: 'one' })
const { id } = await lab.image('linux')
const place = { disk: '1', partition: '1' }
const direct = { ...place, name: 'linux', repository: '10.9.9.9', type: 'UNICAST', profile: '1', id: String(id) }
const replied = { status: 200, body: { ...place, image_id: String(id) } }
const plan = (more: object = {}) => lab.call('POST /image/plan', { image: 'linux', rooms: [1], at: '22:00', ...more })
const refusal =
  '400 overwrite: disk 1 partition 1 has another system on 1 computers (Windows 10 Pro on 1), image linux has Debian 12: ' +
  'expected true, which replaces it'
const skipReason = 'disk 1 partition 1 has Windows 10 Pro, image linux has Debian 12: overwrite is not true'

const test = suite('restores where another system stands')
test.after(() => lab.stop())

test('an image knows where it was made, and a plan without disk and partition goes there', async () => {
  const { disk, partition } = await lab.image('linux')
  equal([disk, partition], [1, 1])
  const { json } = await plan({ dry_run: true })
  equal([json.disk, json.partition, json.system], ['1', '1', 'Debian 12'])
  const { headers } = await plan({ dry_run: true, partition: '2' })
  match(String(headers['x-reason']), /disk/)
})

test('of an image that was never made nobody knows the partition: it is required, and never partition 1', async () => {
  const create = { clients: ['127.0.9.9'], ...place, code: '131', id: '0', repository: '10.9.9.9' }
  await lab.call('POST /image/create', { ...create, name: 'unmade', description: 'x' })
  lab.write('unmade.img', 'content')
  equal('disk' in (await lab.image('unmade')), false)
  const { status, headers } = await plan({ image: 'unmade' })
  is(
    `${status} ${headers['x-reason']}`,
    '400 disk: expected disk and partition, as it is not known where image unmade was made',
  )
  // Its system is not known either: any other one may be lost.
  is((await plan({ image: 'unmade', ...place, dry_run: true })).json.overwrites, 3)
})

test('the preview groups the computers by what is there, another system first', async () => {
  const { json } = await plan({ dry_run: true })
  equal(json.content, [
    { system: 'Windows 10 Pro', filesystem: 'EXT4', another_system: true, computers: 1 },
    { system: 'Debian 12', filesystem: 'EXT4', another_system: false, computers: 1 },
    { system: 'Debian GNU/Linux 12.5 (bookworm)', filesystem: 'EXT4', another_system: false, computers: 1 },
  ])
  is(json.overwrites, 1)
  const empty = (await plan({ dry_run: true, disk: '1', partition: '7' })).json
  equal(empty.content, [{ system: '', filesystem: '', another_system: false, computers: 3 }])
})

test('a plan that would overwrite another system on one of its computers is refused as a whole', async () => {
  const { status, headers } = await plan()
  is(`${status} ${headers['x-reason']}`, refusal)
  is((await plan({ overwrite: false })).status, 400)
  equal((await lab.call('GET /tasks')).json.tasks, [])
})

test('with overwrite it is planned, and its restores ask nothing more', async () => {
  const { status, json } = await plan({ overwrite: true })
  is(status, 200)
  const [procedure] = (await lab.call('GET /procedures')).json.procedures
  equal(procedure.steps[0].params, direct)
  await lab.call('POST /image/unplan', { id: String(json.schedule) })
})

test('a computer that gets another system after the plan was made is skipped when it starts', async () => {
  const late = await withSystem('Debian 12')
  await lab.call('POST /room/add', { name: 'Late', netmask: '255.255.255.0', center: 1 })
  await lab.call('POST /client/move', { clients: [late.addr], room: 2 })
  await lab.call('POST /image/plan', { image: 'linux', rooms: [2], at: '22:00' })
  const [task] = (await lab.call('GET /tasks')).json.tasks
  const partition_setup = [{ ...root, os: 'Windows 11' }]
  await lab.command(late.addr, late.agent, 'POST /refresh', {}, { ...layout, partition_setup })
  const job = jobIdOf(await lab.call('POST /task/run', { task: String(task.id) }))
  await replyToNext(late.agent, '/run/schedule')
  await jobs.finished(job)
  const [part] = (await lab.call(`GET /jobs/${job}`)).json.parts
  equal([part.state, part.reason], ['skipped', skipReason.replace('Windows 10 Pro', 'Windows 11')])
})

test('dry_run of a direct restore shows what each computer has, and where it is another system', async () => {
  const clients = [windows.addr, source.addr]
  const shown = async (more: object) =>
    (await lab.call('POST /image/restore?dry_run=1', { clients, ...direct, ...more })).json.clients
  const other = { client: windows.addr, system: 'Windows 10 Pro', filesystem: 'EXT4', another_system: true }
  const own = { client: source.addr, system: 'Debian 12', filesystem: 'EXT4', another_system: false }
  equal(await shown({}), [other, own])
  equal(await shown({ overwrite: false }), [{ ...other, refused: skipReason }, own])
  equal(await shown({ overwrite: true }), [other, own])
})

test('with overwrite false nothing is sent while the store cannot say what would be replaced', async () => {
  failingMethods.add('inventory.contents')
  const job = jobIdOf(await lab.call('POST /image/restore', { clients: [windows.addr], ...direct, overwrite: false }))
  await jobs.finished(job)
  failingMethods.clear()
  const [{ state, reason }] = (await lab.call(`GET /jobs/${job}`)).json.parts
  equal([state, reason], ['skipped', 'overwrite is not true, and what is there now cannot be read'])
})

test('a direct restore with overwrite false skips the computer with another system; the key is for the daemon only', async () => {
  const clients = [windows.addr, same.addr]
  const job = jobIdOf(await lab.call('POST /image/restore', { clients, ...direct, overwrite: false }))
  const { body } = await same.agent.next('/image/restore')
  equal(body, direct)
  same.agent.reply(replied)
  await jobs.finished(job)
  const { parts } = (await lab.call(`GET /jobs/${job}`)).json
  equal(
    parts.map(({ state, reason }: { state: string; reason: string }) => [state, reason ?? '']),
    [
      ['skipped', skipReason],
      ['success', ''],
    ],
  )
})

test('a direct restore that says nothing of it is sent as ever', async () => {
  const job = jobIdOf(await lab.call('POST /image/restore', { clients: [windows.addr], ...direct }))
  const { body } = await windows.agent.next('/image/restore')
  equal(body, direct)
  windows.agent.reply(replied)
  await jobs.finished(job)
  equal((await plan({ dry_run: true })).json.overwrites, 0)
})

test.run()
