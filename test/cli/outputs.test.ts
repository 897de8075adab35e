// What scripts printed: `fleet run`, `fleet job --output` and `fleet output`, before and after a restart of the daemon.
import { relative } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { message } from '../../host/test-kit/agent-http.ts'
import type { ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'

const lowdb = { store: { adapter: 'lowdb', path: './data' } }
let testHost: TestHost = await startTestHost({ options: lowdb })
const { fleet, fleetWith, fleetOnTerminal, write, remove } = openShellOf(testHost)
const addresses = [1, 2, 3, 4, 5].map(number => `127.0.22.${number}`)
const [first, second, third, other, off] = addresses
for (const [index, ip] of addresses.entries()) await testHost.addComputer(ip, { name: `lab-c0${index + 1}` })

const printing = (out: string): ReplyTable => ({
  '/refresh': { status: 200 },
  '/shell/run': { status: 200, body: { out } },
})
const agents = await Promise.all(
  [first, second, third].map(ip => testHost.agent(ip ?? '', { auto: printing('Linux\n') })),
)
await testHost.agent(other ?? '', { auto: printing('') })

const test = suite('outputs')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('run prints equal outputs once below folded names, and a row for each client that did not succeed', async () => {
  const { code, out } = await fleet('run', '--room', 'Room', '--', 'uname', '-s')
  is(code, 1)
  match(
    out,
    /^── lab-c\[01-03\]: 3 clients\nLinux\n1 client printed nothing: lab-c04\nCL.*\n.*lab-c05 +skipped .*\n.* 1 skip/,
  )
  equal(agents[0]?.requests.at(-1)?.body, { run: 'uname -s', echo: true })
  is((await fleet('run', '--client', 'lab-c01', '--', 'true')).code, 0)
})

test('run --follow prints lines as they come, of other agents when each ends, and job stop ends what hangs', async () => {
  const addr = '127.0.22.10'
  await testHost.addComputer(addr, { name: 'lab-c10' })
  const agent = await testHost.agent(addr)
  const known = testHost.event('client-hello', { addr })
  agent.send(message(103, { event: 'hello', keys: ['pieces', 'timeout'] }))
  await known
  const otherEnded = testHost.event('job-part', { addr: first ?? '' })
  const followed = fleet('run', '--follow', '--timeout', '2m', 'lab-c10', 'lab-c01', '--', 'update')
  const request = await agent.next('/shell/run')
  equal(request.body, { run: 'update', echo: true, pieces: true, timeout: 120 })
  const printed = testHost.event('job-output', { addr })
  agent.send(message(103, { event: 'output', out: 'one\ntw' }))
  const { job = 0 } = Object.assign({ job: 0 }, await printed)
  match((await fleet('job', String(job))).out, /lab-c10 +running +\d+ s +until \d{4}-/)
  match((await fleet('jobs', '--state', 'running')).out, new RegExp(`^JOB .*\n +${job} `))
  const soFar = /^── lab-c10 127\.0\.22\.10, so far\none\ntw\nstill running: lab-c10, since \d\d:\d\d\n$/
  match((await fleet('job', String(job), '--output', '--client', 'lab-c10')).out, soFar)
  match((await fleet('output', '--client', 'lab-c10')).out, soFar)
  match((await fleet('output', '--client', 'lab-c10', '--json')).out, '"running_since": "20')
  const { parts } = JSON.parse((await fleet('job', String(job), '--json', '--client', 'lab-c10')).out)
  is(parts[0].output, 'one\ntw')
  match((await fleet('run', 'lab-c10', '--', 'true')).out, new RegExp(` skipped .* busy: job ${job} shell-run\n`))
  match((await fleet('job', 'cancel', String(job), '--yes')).out, /: 0 waiting cancelled; 1 client go on\n$/)
  is((await fleet('job', 'stop', String(job))).out, `job ${job} shell-run stopped: 1 success, 1 stopped\n`)
  await otherEnded
  agent.answer(500)
  const { code, out } = await followed
  is(code, 1)
  const shownAtOnce = /(?:lab-c10 {2}one\n|lab-c01 {2}Linux\n── lab-c01: success\n){2}/
  const atTheEnd = /lab-c10 {2}tw\n── lab-c10: stopped: .* by stop of \S+\nCLIENT .*\n.* by stop of \S+\n/
  match(out, new RegExp(`^${shownAtOnce.source}${atTheEnd.source}.*1 success, 1 stopped\\nfleet job .*once\\n$`))
  is((await fleet('job', 'stop', String(job))).code, 1)
  match(
    (await fleet('failures')).out,
    /^nothing has failed that nobody has seen\n\nStopped by somebody\nCOM.*\nlab-c10 +shell-run .* stop of \S+\n/,
  )
  await testHost.call('POST /client/delete', { clients: [addr] })
  await agent.close()
})

test('run shows the exit code of a script that failed with its output, and --ignore-status accepts it', async () => {
  const addr = '127.0.22.9'
  await testHost.addComputer(addr, { name: 'lab-c09' })
  const failing = { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'no disk\n', status: 3 } } }
  const agent = await testHost.agent(addr, { auto: failing })
  const { code, out } = await fleet('run', '--client', 'lab-c09', '--', 'check')
  is(code, 1)
  match(out, /^── lab-c09 127\.0\.22\.9\nno disk\nCLIENT .*\n.* lab-c09 +failure .* exit code 3\njob .*: 1 failure\n$/)
  const failed = /^job (\d+)/m.exec(out)?.[1] ?? ''
  const retried = await fleet('job', 'retry', failed, '--failed', '--wait')
  match(retried.out, /^CLIENT .*\n.* exit code 3\n── lab-c09 127\.0\.22\.9\nno disk\njob \d+ shell-run: 1 failure\n$/)
  const { id, parts } = JSON.parse((await fleet('job', 'retry', failed, '--wait', '--json')).out)
  is(parts[0].output, 'no disk\n')
  match((await fleet('jobs', '--limit', '1')).out, new RegExp(`^JOB .*\n *${id} .* retry of ${failed} `))
  match((await fleet('job', `${id}`)).out, new RegExp(`^created \\S+ \\S+ by a retry of job ${failed} of `))
  match((await fleet('report', `${id}`)).out, new RegExp(`, a retry of job ${failed}, which fleet report ${failed} `))
  is((await fleet('run', '--ignore-status', '--client', 'lab-c09', '--', 'check')).code, 0)
  const absent = '127.0.22.39'
  await testHost.addComputer(absent, { name: 'lab-c39' })
  const mixed = /^job (\d+)/m.exec((await fleet('run', 'lab-c09', 'lab-c39', '--', 'check')).out)?.[1] ?? ''
  is(
    (await fleet('job', 'retry', mixed, '--failed', '--wait')).error,
    'not again: 1 skipped; without --failed these, too\n',
  )
  const params = ['--client', 'lab-c09', '--run', 'check', '--echo', '--wait']
  is((await fleet('send', 'shell-run', '--ignore-status', ...params)).code, 0)
  await testHost.call('POST /client/delete', { clients: [addr, absent] })
  await agent.close()
})

test('one argument of run is a script, several are a command whose arguments may have spaces', async () => {
  await fleet('run', '--client', 'lab-c01', '--', 'df -h | tail -1')
  equal(agents[0]?.requests.at(-1)?.body, { run: 'df -h | tail -1', echo: true })
  await fleet('run', '--client', 'lab-c01', '--', 'echo', "it's a", '$HOME')
  equal(agents[0]?.requests.at(-1)?.body, { run: `echo 'it'\\''s a' '$HOME'`, echo: true })
  const file = write('f.sh', 'set -e\ndate\n')
  await fleet('run', 'lab-c01', '--run', file)
  equal(agents[0]?.requests.at(-1)?.body, { run: 'set -e\ndate\n', echo: true })
  const here = relative('.', file)
  const { error } = await fleet('run', 'lab-c01', '--', here)
  is(error, `fleet: run: ${here} is a file here, which clients do not have: to run what is in it, --run ${here}\n`)
  match((await fleet('run', 'lab-c01', here)).error, new RegExp(`maybe meant: fleet run lab-c01 --run ${here}\n$`))
  match((await fleet('run', 'lab-c01', 'uname')).error, /maybe meant: fleet run lab-c01 -- uname\n$/)
  for (const args of [[], ['--room', 'Room'], ['--', 'true'], ['lab-c01', '--run', file, '--', 'a']])
    is((await fleet('run', ...args)).code, 2)
})

test('a retry that cannot be says why, and options that do not go together are usage errors', async () => {
  const errorOf = async (...args: string[]) => {
    const { code, error } = await fleet(...args)
    return `${code} ${error.trim()}`
  }
  match(await errorOf('job', 'retry', '99'), /^1 fleet: there is no job 99$/)
  match(await errorOf('job', 'retry', '1', '--failed'), /^1 fleet: id: nothing of job 1 has failed$/)
  match(await errorOf('job', 'retry', '2'), /^1 fleet: .*id: nothing of job 2 has failed, was skipped or cancelled/)
  for (const args of [
    ['run', '--follow', '--json', 'lab-c01', '--', 'true'],
    ['job', '--watch', '1', '--json'],
    ['job', 'cancel', '1', '--json'],
  ])
    match(await errorOf(...args), /^2 fleet: .*--json/)
  match(
    await errorOf('run', '--room', 'Room', 'hostname'),
    /^2 fleet: run: expected a script, got none: .* -- hostname$/,
  )
})

test('job shows what was asked and by whom, a script line by line', async () => {
  await fleet('run', '--client', 'lab-c01', '--', 'set -e\necho one')
  const [{ id }] = (await testHost.call('GET /jobs?limit=1')).json.jobs
  const { code, out } = await fleet('job', String(id))
  is(code, 0)
  match(
    out,
    /^created .* by a request of admin from \S+\nshell-run\n {2}run:\n {4}set -e\n {4}echo one\n {2}echo: true\nCL/,
  )
})

test('run --json prints the job with the output of each part', async () => {
  const { parts } = JSON.parse((await fleet('run', '--json', '--client', 'lab-c01', 'lab-c04', '--', 'true')).out)
  const outputs = parts.map(({ client, output }: Record<string, string>) => `${client} ${output}`)
  equal(outputs, [`${first} Linux\n`, `${other} `])
})

test('job --output prints the outputs of a job, of all its clients or of some', async () => {
  match(
    (await fleet('job', '1', '--output')).out,
    /^── lab-c\[01-03\]: 3 clients\nLinux\n1 client printed nothing: lab-c04\n.*\n.* lab-c05 +skipped +not connected\n/,
  )
  is((await fleet('job', '1', '--output', '--client', 'lab-c02')).out, `── lab-c02 ${second}\nLinux\n`)
  const { parts } = JSON.parse((await fleet('job', '1', '--json', '--client', 'lab-c02')).out)
  equal([parts.length, parts[0].output], [1, 'Linux\n'])
  is((await fleet('job', '2', '--output', '--client', 'lab-c05')).code, 2)
})

test('jobs --client takes a name, and an unknown one is an error', async () => {
  const { jobs } = JSON.parse((await fleet('jobs', '--client', 'lab-c05', '--json')).out)
  equal(
    jobs.map(({ id }: { id: number }) => id),
    [1],
  )
  const { code, error } = await fleet('jobs', '--client', 'lab-c06')
  equal([code, error], [2, 'fleet: there is no computer lab-c06; maybe meant: lab-c01\n'])
})

test('jobs shows the first line of a script', async () => {
  const { out } = await fleet('jobs')
  match(out, / run: set -e +request /)
  match(out, / run: uname -s \(room_id:\d+\) +request | {2}run: uname -s +request /)
})

test('each line fits on a terminal of 80 columns', async () => {
  await testHost.call('POST /room/add', {
    name: `A room with a name of ${'m'.repeat(80)}`,
    netmask: '255.0.0.0',
    center: 1,
  })
  const calls = [['jobs'], ['clients'], ['modules'], ['scopes'], ['images'], ['job', '1'], ['output']]
  const outputs = await Promise.all(calls.map(args => fleetOnTerminal('', ...args)))
  const long = outputs.flatMap(({ out }) => out.split('\n')).filter(line => [...line].length > 80)
  equal(long, [])
  match((await fleet('scopes')).out, 'm'.repeat(80))
})

test('after a restart of the daemon, output has what is stored with jobs', async () => {
  await testHost.stop('keep')
  testHost = await startTestHost({ options: lowdb, folder: testHost.folder })
  const environment = { FLEET_URL: `http://127.0.0.1:${testHost.host.ports.rest}` }
  const { out } = await fleetWith(environment, 'output', '--room', 'Room')
  is(out, `── lab-c[01-03]: 3 clients\nLinux\n1 client printed nothing: lab-c04\n1 client, no output known: lab-c05\n`)
  const one = JSON.parse((await fleetWith(environment, 'output', '--client', 'lab-c02', '--json')).out)
  equal(one, { clients: [{ addr: second, output: 'Linux\n' }] })
  is(off, '127.0.22.5')
})

test.run()
