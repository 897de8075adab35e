// `fleet send`: sending commands, waiting for their results, and the exit codes.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import type { ReplyTable } from '../../host/test-kit/simulated-agent.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost({ options: { wol: { seconds: 1 } } })
const { fleet, program, programWith, remove } = openShellOf(testHost)
const [good, bad, off] = ['127.0.20.1', '127.0.20.2', '127.0.20.3']
const printing: ReplyTable = { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'Linux\n' } } }
const failing: ReplyTable = { '/refresh': { status: 200 }, '/shell/run': { status: 500 } }

for (const ip of [good, bad, off]) await testHost.addComputer(ip)
await testHost.call('POST /room/add', { name: '1', netmask: '255.255.255.0', center: 1 })
await testHost.call('POST /center/add', { name: 'Other' })
await testHost.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 2 })
const goodAgent = await testHost.agent(good, { auto: printing })
await testHost.agent(bad, { auto: failing })

const script = ['--run', 'uname', '--echo']
const test = suite('send')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('the payload comes from the options, and the exit code is 0 when every client succeeded', async () => {
  const { code, out, error } = await program('send', 'shell-run', '--client', good, ...script, '--wait')
  equal([code, error], [0, ''])
  const [titles, line, heading, output, end] = out.split('\n')
  match(titles ?? '', /^CLIENT +NAME +STATE +TIME +REASON$/)
  match(line ?? '', /^127\.0\.20\.1 +pc-127\.0\.20\.1 +success +\d+\.\d s$/)
  equal([heading, output], [`── pc-${good} ${good}`, 'Linux'])
  match(end ?? '', /^job \d+ shell-run: 1 success$/)
  equal(goodAgent.requests.at(-1)?.body, { run: 'uname', echo: true })
})

test('a room of a name that two centers have is selected as Center/Room', async () => {
  const { code, out } = await fleet('send', 'wol', '--type', 'broadcast', '--room', 'Center/Room', '--wait')
  equal([code, [...out.matchAll(/^127\S+/gm)].length], [1, 3])
})

test('each client that failed or was skipped has a reason, and the exit code is 1', async () => {
  const { code, out } = await program('send', 'run', '--client', good, bad, off, ...script, '--wait')
  is(code, 1)
  match(out, /127\.0\.20\.1 .* success/)
  match(out, /127\.0\.20\.2 .* failure .*\S\n/)
  match(out, /127\.0\.20\.3 .* skipped .*\S\n/)
  match(out, /\nwhere an agent .* journalctl -u fleet-agent .*\njob .*: 1 success, 1 failure, 1 skipped\n$/)
})

test('without --wait the id of the job is printed, which can be waited for and retried', async () => {
  const sent = await fleet('send', 'shell/run', '--client', good, off, ...script)
  is(sent.code, 0)
  const id = /^job (\d+) started; fleet job/.exec(sent.out)?.[1] ?? ''
  const waited = await fleet('job', id, '--wait', '--json')
  const { parts, counts } = JSON.parse(waited.out)
  equal([waited.code, parts.length, counts.success, counts.skipped], [1, 2, 1, 1])
  const again = await fleet('job', 'retry', id, '--wait')
  is(again.code, 1)
  match(again.out, /127\.0\.20\.3 .* skipped/)
})

test('--room and --center select all their computers, by name or id', async () => {
  const addressesOf = async (...args: string[]) => {
    const { out } = await fleet('send', 'wol', '--type', 'broadcast', '--wait', ...args)
    return [...out.matchAll(/^127\S+/gm)].map(([ip]) => ip)
  }
  const all = [good, bad, off]
  const addresses = await Promise.all([
    addressesOf('--center', 'Center'),
    addressesOf('--center', '1', '--room', 'Room'),
    addressesOf('--client', `pc-${off}`),
  ])
  equal(addresses, [all, all, [off]])
})

/** The error of a wrong call. */
async function usageErrorOf(...args: string[]): Promise<string> {
  const { code, out, error } = await fleet('send', ...args)
  equal([code, out, error.split('\n').length], [2, '', 2], error)
  return error
}

test('a name that is unknown, ambiguous or without computers is a usage error of one line', async () => {
  const errorOf = (...args: string[]) => usageErrorOf('wol', '--type', 'broadcast', ...args)
  const [misspelt, ambiguous, empty, unknown, absent] = await Promise.all([
    errorOf('--center', 'Centre'),
    errorOf('--room', 'Room'),
    errorOf('--room', '1'),
    errorOf('--client', 'pc'),
    errorOf(),
  ])
  is(misspelt, 'fleet: --center: expected Center, got Centre\n')
  is(ambiguous, 'fleet: --room: expected one of Center/Room (id 1), Other/Room (id 3), got Room\n')
  is(empty, 'fleet: 1 has no computers\n')
  match(unknown ?? '', /^fleet: there is no computer pc; maybe meant: pc-127\S+\n$/)
  is(absent, 'fleet: wol: expected --client, --room, --center, --where or --group, got none of them\n')
})

test('an unknown command, option or value is a usage error that names the expected one', async () => {
  const errors = await Promise.all([
    usageErrorOf('shell-rum', '--client', good),
    usageErrorOf('shell-run', '--client', good),
    usageErrorOf('shell-run', '--client', good, '--rum', 'x'),
    usageErrorOf('setup', '--client', good, '--json', '[]'),
    usageErrorOf('job-retry', '--id', '1', '--only', 'x'),
    usageErrorOf('job-cancel', '--id', 'x'),
    usageErrorOf('poweroff', '--client', off, '--expires', 'soon'),
    usageErrorOf(),
  ])
  const expected = [
    /^fleet: send: expected shell-run, got shell-rum/,
    /^fleet: shell-run: --run: missing/,
    /^fleet: unknown option '--rum' .*--run/,
    /^fleet: --json: expected an object such as .*, got \[\]\n$/,
    /^fleet: .*Allowed choices are failed\./,
    /^fleet: job-cancel: id: expected .*, got "x"\n$/,
    /^fleet: --expires: expected seconds, got soon/,
    /^fleet: send: expected a command first, got nothing; see fleet send --help\n$/,
  ]
  for (const [index, pattern] of expected.entries()) match(errors[index] ?? '', pattern)
})

test('options override the keys of --json', async () => {
  const json = JSON.stringify({ run: 'one', echo: false, more: 1 })
  await fleet('send', 'shell-run', '--client', good, '--json', json, '--run', 'two', '--wait')
  equal(goodAgent.requests.at(-1)?.body, { run: 'two', echo: false, more: 1 })
})

test('a command for a client that is off waits with --queue, --expires or --wake, and can be cancelled', async () => {
  const woken = testHost.event('wake-sent', { addr: off })
  const sent = await fleet('send', 'poweroff', '--client', off, '--expires', '60', '--wake')
  await woken
  const id = /job (\d+)/.exec(sent.out)?.[1] ?? ''
  is((await testHost.call(`GET /jobs/${id}`)).json.counts.queued, 1)
  match((await fleet('report', id)).out, / queued +off, woken \d\d:\d\d, until \d\d:\d\d/)
  match((await fleet('report', id, '--csv')).out, /,"?off, woken /)
  is((await fleet('job', 'cancel', id)).code, 0)
  is((await testHost.call(`GET /jobs/${id}`)).json.counts.cancelled, 1)
})

test('any command can be sent, with the keys of its payload as options', async () => {
  const added = await fleet('send', 'room-add', '--name', 'New', '--netmask', '255.255.255.0', '--center', '2')
  equal(added, { code: 0, out: 'added room 4\n', error: '' })
  is(JSON.parse((await fleet('send', 'jobs', '--limit', '1')).out).jobs.length, 1)
  const read = await fleet('send', 'client-info', '--client', good)
  is(JSON.parse(read.out).ip, good)
  const refused = await fleet('send', 'center-add', '--name', 'Other')
  equal([refused.code, refused.out], [1, ''])
  match(refused.error, /^fleet: name: center Other exists\n$/)
})

test('--help of a command lists its options', async () => {
  const { code, out } = await fleet('send', 'shell-run', '--help')
  is(code, 0)
  match(out, /Run a shell script[\s\S]*--run <text> [\s\S]*\(required\)[\s\S]*--echo[\s\S]*--queue/)
})

test('only the table is written to a pipe, without colours', async () => {
  const { out, error } = await programWith(
    { FORCE_COLOR: '0' },
    'send',
    'shell-run',
    '--client',
    good,
    ...script,
    '--wait',
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is that there are none
  equal([/\x1b|\r/.test(out), error], [false, ''])
})

test.run()
