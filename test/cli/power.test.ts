// `fleet wake`, `poweroff`, `reboot`, `stop` and `start`: which computers, the question, the wait, and the one line at the end.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { version } from '../../host/system/version.ts'
import type { ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost({ options: { wol: { seconds: 1 } } })
const { fleet, fleetWith, fleetOnTerminal, write, remove } = openShellOf(lab)
const addresses = [1, 2, 3, 4].map(number => `127.0.26.${number}`)
const [first = '', second = '', third = '', off = ''] = addresses
for (const [index, ip] of addresses.entries()) await lab.addComputer(ip, { name: `lab-c${index + 9}` })

const row = (partition: string, os: string) => ({
  ...{ disk: '1', partition, code: '7', filesystem: partition === '0' ? '' : 'NTFS' },
  ...{ os, size: '1000', used_size: '0' },
})
const withSystems = (...systems: string[]): ReplyTable => ({
  '/refresh': {
    status: 200,
    body: {
      disk_setup: [row('0', '')],
      partition_setup: systems.map((os, index) => row(String(index + 1), os)),
      serial_number: '',
      link: 1000,
    },
  },
  '/session': { status: 200 },
  '/reboot': { status: 200 },
  '/shell/run': { status: 200, body: { out: '' } },
})
const connect = async (addr: string, auto: ReplyTable) => {
  const refreshed = lab.event('command-ended', { addr, command: 'refresh' })
  const agent = await lab.agent(addr, { auto })
  await refreshed
  return agent
}
const agent = await connect(first, withSystems('Debian 13', 'Windows 11 Pro'))
const other = await connect(second, withSystems('Windows 11 Pro'))
const twice = await connect(third, withSystems('Windows 10 Pro', 'Windows 11 Pro'))

const test = suite('verbs for computers')
test.after(async () => {
  remove()
  await lab.stop()
})

test('start finds the disk and the partition of each computer by the name of the system', async () => {
  const { code, out, error } = await fleet('start', 'windows 11', '--room', 'Room', '--client', 'lab-c9')
  equal([code, out, error], [1, '3 of 4 started; 1 not: lab-c12 without windows 11\n', ''])
  equal(
    [agent, other, twice].map(each => each.requests.at(-1)?.body),
    ['2', '1', '2'].map(partition => ({ disk: '1', partition })),
  )
  equal(await fleet('start', 'debian', 'lab-c9'), { code: 0, out: '1 computer started\n', error: '' })
})

test('several systems of one name, and none at all, are said with what there is', async () => {
  const several = await fleet('start', 'windows', 'lab-c10', 'lab-c11')
  is(several.code, 1)
  match(
    several.out,
    /^1 of 2 started; 1 not: lab-c11 with several: Windows 10 Pro on --disk 1 --partition 1 or Windows 11 Pro on .*2\n$/,
  )
  is((await fleet('start', 'windows', 'lab-c11', '--partition', '1')).code, 0)
  const none = await fleet('start', 'Solaris', 'lab-c9', 'lab-c10')
  equal([none.code, none.error], [2, 'fleet: start: expected one of "Debian 13", "Windows 11 Pro", got Solaris\n'])
})

test('what ends a session asks, with who is logged in where, and reports what it could not reach', async () => {
  for (const [user, each] of [
    ['anna', agent],
    ['', other],
  ] as const) {
    const login = lab.event('session-login', { addr: each.addr })
    each.event('start', user)
    await login
  }
  const locked = lab.event('session-lock', { addr: agent.addr })
  agent.event('start', 'anna', true)
  await locked
  const { code, error } = await fleetOnTerminal('n', 'reboot', '--room', 'Room')
  is(code, 1)
  match(
    error,
    /^Reboot 4 computers of Room \(lab-c\[9-12\]\); 2 in use: anna on lab-c9 \(locked\), .* on lab-c10\nContinue\?/,
  )
  match(
    (await fleetOnTerminal('n', 'send', 'poweroff', '--client', first)).error,
    /; 1 in use: anna on lab-c9 \(locked\)\n/,
  )
  const { out } = await fleet('stop', 'lab-c11', 'lab-c12')
  is(out, '1 of 2 with nothing to stop; 1 not: lab-c12 not connected\n')
})

test('--dry-run says who would get it, and sends nothing', async () => {
  const jobs = async () => (await lab.call('GET /jobs')).json.jobs.length
  const before = await jobs()
  const said = async (...args: string[]) => (await fleet(...args, '--dry-run')).out
  is(await said('reboot', first, off), 'would be sent to 1 of 2 computers; 1 not: lab-c12 not connected\n')
  is(await said('reboot', first, off, '--queue'), 'would be sent to 2 computers\n')
  is(await said('wake', first, off), 'would be sent to 1 of 2 computers; 1 not: lab-c9 on already\n')
  const clients = [{ client: first }, { client: off, refused: 'not connected' }]
  equal(JSON.parse(await said('reboot', first, off, '--json')), { clients })
  const script = ['run', first, '--', 'df -h; uptime', '--dry-run']
  const behind = '--dry-run stands behind --, where all words are the script: write it before --'
  equal(await fleet(...script), { code: 2, out: '', error: `fleet: run: ${behind}\n` })
  is(await said('run', first, off, '--run', 'uname -s'), await said('reboot', first, off))
  is(await said('start', 'debian', first, off), 'would be sent to 1 of 2 computers; 1 not: lab-c12 without debian\n')
  is(await jobs(), before)
})

test('a script that runs is stopped', async () => {
  const ip = '127.0.26.5'
  await lab.addComputer(ip)
  const { '/shell/run': _, ...silent } = withSystems('Debian 13')
  const busy = await connect(ip, silent)
  await lab.call('POST /shell/run', { clients: [ip], run: 'sleep 600', echo: true })
  await busy.next('/shell/run')
  is((await fleet('stop', ip, '--dry-run')).out, 'would be sent to 1 computer\n')
  is((await fleet('stop', ip)).out, '1 computer stopped\n')
  busy.destroy()
  await lab.call('POST /client/delete', { clients: [ip] })
})

const waits = 'waiting for connections, 60 s at most unless the option wol.seconds says otherwise\n'

test('wake waits until they connect, and says who has not', async () => {
  equal(await fleet('wake', off), {
    code: 1,
    out: '0 of 1 woken; 1 not: lab-c12 did not connect within 1 s; fleet doctor lab-c12 says more\n',
    error: `wake-up sent to 1 computer; ${waits}`,
  })
  const doctor = await fleet('doctor', off)
  match(doctor.out, /✗ wake-up: the wake-up of .* failed: did not connect within 1 s; packets for \S+ sent to /)
  const on = await fleet('wake', first, second)
  equal([on.code, on.out, on.error], [0, '0 of 2 woken; 2 on already\n', ''])
})

test('--queue waits for nobody who is off, and says until when with --until', async () => {
  const { code, out } = await fleet('poweroff', off, '--queue', '--until', '2h')
  is(code, 0)
  match(out, /^0 of 1 off; 1 later: lab-c12 off, woken \d\d:\d\d, until \d\d:\d\d \(fleet job \d+\)\n$/)
  const id = /fleet job (\d+)/.exec(out)?.[1] ?? ''
  match((await fleet('job', 'cancel', id)).out, /^job \d+ poweroff: 1 waiting cancelled\n$/)
  const again = await fleet('job', 'cancel', id)
  is(again.code, 1)
  match(again.out, /^job \d+ poweroff has ended at \d{4}-.*: 1 cancelled\n$/)
})

test('--json prints the job, --no-wait its number, and wrong words are usage errors', async () => {
  is(JSON.parse((await fleet('wake', first, '--json')).out).name, 'wol')
  match((await fleet('wake', first, '--no-wait')).out, /^job \d+ started; fleet job \d+ shows its results\n$/)
  const cases: [string[], RegExp][] = [
    [['wake'], /wake: expected --client, --room/],
    [['reboot', 'lab-c8'], /^fleet: there is no computer lab-c8; maybe meant: lab-c9\n$/],
    [['reboot', 'printer'], /^fleet: there is no computer printer; fleet pending lists clients without a record\n$/],
    [['stop', first, '--until', 'soon'], /--until: expected a time such as 06:30, 90m or 2h, got soon/],
    [['wake', first, '--type', 'x'], /Allowed choices are broadcast, unicast/],
  ]
  for (const [args, expected] of cases) {
    const { code, error } = await fleet(...args)
    is(code, 2, args.join(' '))
    match(error, expected)
  }
})

test('run takes computers before the dashes', async () => {
  await fleet('run', 'lab-c9', 'lab-c10', '--no-wait', '--', 'uname', '-a')
  const [job] = (await lab.call('GET /jobs?limit=1')).json.jobs
  equal((await lab.call(`GET /jobs/${job.id}`)).json.parts.length, 2)
  is((await fleet('run', 'lab-c9', '--')).code, 2)
})

test('run says that a word which clients do not know is a file here', async () => {
  const unknown = await connect('127.0.26.6', {
    ...withSystems(),
    '/shell/run': { status: 200, body: { out: '', status: 127 } },
  })
  await lab.addComputer(unknown.addr)
  const run = async (...args: string[]) => (await fleet('run', unknown.addr, ...args)).error
  const file = write('update', 'date\n')
  const hint = `fleet: run: ${file} is a file here, which clients do not have: to run what is in it, --run ${file}\n`
  equal([await run('--', file), await run('--follow', '--', file)], [hint, hint])
  equal([await run('--run', file), await run('--', 'updat')], ['', ''])
})

test('states are words, also of what a busy computer runs', async () => {
  const silent = await connect('127.0.26.5', { ...withSystems(), '/shell/run': () => undefined })
  await lab.addComputer(silent.addr, { name: 'lab-c13' })
  await lab.call('POST /shell/run', { clients: [silent.addr], run: 'sleep 9', echo: false })
  const { out } = await fleet('clients', '--state', 'busy', 'off')
  const wrong = await fleet('clients', '--state', 'brokn')
  match(wrong.error, /^fleet: --state: expected one of on, busy, waking, off, .*, got brokn\n/)
  is(wrong.code, 2)
  is((await fleet('clients', '--state', 'OGP')).code, 2)
  match(out, /lab-c12 +Room +off, never connected\n.*lab-c13 +Room +busy: shell run .*\n1 busy, 1 off\n$/)
  is(JSON.parse((await fleet('clients', '--state', 'busy', '--json')).out).clients.at(-1).state, 'BSY')
})

test('--version is that of the program, and of the daemon where one responds', async () => {
  is((await fleet('--version')).out, `${version}\ndaemon ${version}\n`)
  is((await fleetWith({ FLEET_API_TOKEN: 'wrong' }, '--version')).out, `${version}\n`)
})

test.run()
