// A daemon on the store that an import of ogAdmBD has filled: procedures, tasks, schedules and boot files.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { Agent, ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { followJobs, jobIdOf } from '../harness/job-results.ts'
import { type Lab, startLab } from '../harness/lab.ts'
import { pathsOf } from '../harness/lab-boot.ts'
import { hasMariadb } from '../harness/mariadb.ts'
import { skipFile } from '../harness/skip-file.ts'
import { startSourceSite } from './source-site.ts'

export const runs = { postgres: false }

if (!hasMariadb) skipFile('mariadb')
const source = await startSourceSite()
await source.reportOf('site')
const host: Lab = await startLab({ boot: true, options: { store: { path: source.dataOf('site') } } })
const { call } = host
const jobs = followJobs(host)

const test = suite('imported site')
test.after(async () => {
  await host.stop()
  await source.stop()
})

const diskRow = { disk: '1', partition: '0', code: '1', filesystem: '', os: '', size: '500000000', used_size: '0' }
const partitionRow = (partition: string) => ({ ...diskRow, partition, code: '7', filesystem: 'NTFS', size: '50000000' })
const disks = { disk_setup: [diskRow], partition_setup: [partitionRow('1'), partitionRow('2')] }

/** What agents reply to the commands of the procedures. */
const replies: ReplyTable = {
  '/setup': { status: 200, body: disks },
  '/image/restore': { status: 200, body: { disk: '1', partition: '1', image_id: '5' } },
  '/image/create': {
    status: 200,
    body: {
      ...{ disk: '1', partition: '2', id: '3', datasize: 7, software: 'Ubuntu 22.04\nvim' },
      ...{ clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXTFS' },
    },
  },
  '/hardware': { status: 200, body: { hardware: 'cpu=One' } },
  '/software': { status: 200, body: { partition: '2', software: 'Ubuntu 22.04\nvim' } },
  '/refresh': { status: 200, body: disks },
  '*': { status: 200 },
}

test('a procedure with nested steps runs on a client', async () => {
  const agent = await host.agent('127.1.1.3', { auto: replies })
  const job = jobIdOf(await call('POST /procedure/run', { clients: ['127.1.1.3'], procedure: '2' }))
  const parts = await jobs.finished(job)
  equal(
    parts.map(({ command, state, reason }) => [command, state, reason]),
    [
      ['setup', 'success', undefined],
      ['image-restore', 'success', undefined],
      // Connected clients are not woken.
      ['wol', 'skipped', 'connected'],
      ['session', 'success', undefined],
    ],
  )
  const bodies = agent.requests.filter(({ body }) => body !== undefined).map(({ path, body }) => [path, body])
  const slot = (partition: string, code: string, filesystem: string, size: string, format: string) => {
    return { partition, code, filesystem, size, format }
  }
  equal(bodies, [
    [
      '/setup',
      {
        ...{ type: 'MSDOS', disk: '1', cache: '1', cache_size: '1000' },
        partition_setup: [
          slot('1', 'NTFS', 'NTFS', '50000000', '1'),
          slot('2', 'LINUX', 'EXT4', '40000000', '0'),
          slot('3', 'EMPTY', 'EMPTY', '0', '0'),
          slot('4', 'EMPTY', 'EMPTY', '0', '0'),
        ],
      },
    ],
    [
      '/image/restore',
      {
        ...{ disk: '1', partition: '1', id: '5', name: 'windows', repository: '10.0.0.1', profile: '1' },
        type: 'UNICAST',
      },
    ],
    ['/session', { disk: '1', partition: '2' }],
  ])
  const { partitions } = (await call('GET /client/setup', { client: ['127.1.1.3'] })).json
  is(partitions.length, 3)
})

test('a task runs every kind of step on its computer, and none is refused', async () => {
  const agents: Agent[] = []
  const connect = async () => void agents.push(await host.agent('127.1.1.5', { auto }))
  /** The computer goes down, and comes back. */
  const goDown = (_: unknown, agent: Agent) => {
    agent.answer(200)
    void agent.close().then(connect)
    return undefined
  }
  const auto = { ...replies, '/reboot': goDown, '/poweroff': goDown }
  await connect()
  const job = jobIdOf(await call('POST /task/run', { task: '2' }))
  const parts = await jobs.finished(job)
  is(parts.length, 11)
  ok(parts.every(({ client }) => client === '127.1.1.5'))
  const outcomes = parts.map(({ command, state }) => `${command} ${state}`)
  equal(
    outcomes.filter(outcome => !outcome.endsWith(' success')),
    ['wol skipped'],
  )
  const requests = agents.flatMap(agent => agent.requests)
  const scripts = requests.filter(({ path }) => path === '/shell/run').map(({ body }) => body)
  equal(scripts, [
    { run: 'echo ñ && date +%F\nuname -a', echo: true },
    { run: 'echo a=1; date +%F\r\necho ñ', echo: true },
  ])
  const { json } = await call('GET /hardware', { client: ['127.1.1.5'] })
  equal(json.hardware, [{ type: 'processor', description: 'One' }])
})

test('tasks are for the rooms, groups and computers that they were for', async () => {
  const { tasks } = (await call('GET /tasks')).json
  const targets = tasks.map(({ id, scope, clients = [] }: { id: number; scope?: object; clients?: string[] }) => {
    return [id, scope ?? clients.length]
  })
  equal(targets, [
    [1, { type: 'room', id: 1 }],
    [2, { type: 'computer', id: 5 }],
    [3, { type: 'center', id: 2 }],
    [4, 81],
    [6, 2],
    [8, { type: 'room', id: 2 }],
    [9, { type: 'room', id: 2 }],
    [11, { type: 'room', id: 2 }],
    [13, { type: 'room', id: 3 }],
  ])
  equal(tasks.find(({ id }: { id: number }) => id === 9).clients, ['127.1.2.1', '127.1.2.2'])
  equal(tasks.find(({ id }: { id: number }) => id === 8).steps, [{ task: 9 }])
  equal(tasks.find(({ id }: { id: number }) => id === 1).steps, [{ procedure: 1 }])
})

test('schedules are listed with their times; one whose steps are not complete is suspended', async () => {
  const { schedules } = (await call('GET /schedules')).json
  equal(
    schedules.map(({ id, type, task, suspended }: Record<string, unknown>) => [id, type, task, suspended]),
    [
      [1, 'task', 2, 0],
      [2, 'procedure', 3, 0],
      [4, 'task', 11, 1],
      [7, 'procedure', 2, 1],
    ],
  )
  const { schedule } = (await call('POST /schedule/get', { id: '1' })).json
  equal(schedule, [
    {
      ...{ id: 1, task: 2, name: 'Bloque 1', years: 4294967295, months: 4095, days: 0, week_days: 31, weeks: 0 },
      ...{ hours: 1024, am_pm: 1, minutes: 30, suspended: 0, session: 0 },
    },
  ])
})

test('the boot files of ten computers are those of their modes, with the values of their records', async () => {
  for (let id = 1; id <= 10; id += 1) {
    const [ip, mac] = [`127.1.1.${id}`, id.toString(16).padStart(12, '0')]
    const { boot } = await host.info(ip)
    is(boot, ['10', '11', '12', 'pxe', '00unknown'][id % 5])
    await host.ok('POST /mode', { clients: [ip], mode: boot })
    const files = host.files()
    const menu = files[pathsOf(mac).menu] ?? ''
    is(menu.split('\n', 1)[0], `##BOOT-TEMPLATE ${boot}`)
    const preview = await call('GET /mode/preview', { clients: [ip], mode: String(boot) })
    is(preview.json.files[0].content, menu)
    // Only modes that start the live system have its parameters.
    if (menu.includes('ogrepo=')) {
      const repository = id % 2 === 0 ? '10.0.0.1' : '10.0.0.2'
      match(menu, ` ip=${ip}:10.1.1.1:10.1.1.254:255.255.255.0:pc-${id}:eth0:none group=Aula_1 ogrepo=${repository} `)
      match(menu, ' ogntp=10.0.0.123 ogdns=10.0.0.53 ')
    }
  }
  const menus = Object.entries(host.files()).filter(([path]) => path.startsWith('menu.lst/'))
  is(menus.length, 10)
  ok(menus.filter(([, text]) => text.includes('ogrepo=')).length >= 4)
})

test.run()
