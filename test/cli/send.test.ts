// `fleet send`: sending commands, waiting for their outcomes, and what the exit code says.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShell } from '../harness/cli-shell.ts'
import type { Answers } from '../harness/simulated-agent.ts'
import { startLab, token } from '../harness/test-host.ts'

const lab = await startLab()
const { fleet, program, programWith, remove } = openShell({
  FLEET_URL: `http://127.0.0.1:${lab.host.ports.rest}`,
  FLEET_API_TOKEN: token,
})
const [good, bad, off] = ['127.0.20.1', '127.0.20.2', '127.0.20.3']
const printing: Answers = { '/refresh': { status: 200 }, '/shell/run': { status: 200, body: { out: 'Linux\n' } } }
const failing: Answers = { '/refresh': { status: 200 }, '/shell/run': { status: 500 } }

for (const ip of [good, bad, off]) await lab.addComputer(ip)
await lab.call('POST /room/add', { name: '1', netmask: '255.255.255.0', center: 1 })
await lab.call('POST /center/add', { name: 'Other' })
await lab.call('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 2 })
const goodAgent = await lab.agent(good, { auto: printing })
await lab.agent(bad, { auto: failing })

const script = ['--run', 'uname', '--echo']
const test = suite('fleet send')
test.after(async () => {
  remove()
  await lab.stop()
})

test('sends what its options say, and exits with 0 when every client succeeded', async () => {
  const { code, out, error } = await program('send', 'shell-run', '--client', good, ...script, '--wait')
  equal([code, error], [0, ''])
  const [titles, line, end] = out.split('\n')
  match(titles ?? '', /^CLIENT +NAME +STATE +TIME +REASON$/)
  match(line ?? '', /^127\.0\.20\.1 +pc-127\.0\.20\.1 +success +\d+\.\d s$/)
  match(end ?? '', /^job \d+ shell-run: 1 success$/)
  equal(goodAgent.requests.at(-1)?.body, { run: 'uname', echo: true })
})

test('tells for each client why not, and exits with 1 when one failed or was skipped', async () => {
  const { code, out } = await program('send', 'run', '--client', good, bad, off, ...script, '--wait')
  is(code, 1)
  match(out, /127\.0\.20\.1 .* success/)
  match(out, /127\.0\.20\.2 .* failure .*\S\n/)
  match(out, /127\.0\.20\.3 .* skipped .*\S\n/)
  match(out, /: 1 success, 1 failure, 1 skipped\n$/)
})

test('without --wait names the job, which can be waited for and done again', async () => {
  const sent = await fleet('send', 'shell/run', '--client', good, off, ...script)
  is(sent.code, 0)
  const id = /^job (\d+) has begun/.exec(sent.out)?.[1] ?? ''
  const waited = await fleet('job', id, '--wait', '--json')
  const { parts, counts } = JSON.parse(waited.out)
  equal([waited.code, parts.length, counts.success, counts.skipped], [1, 2, 1, 1])
  const again = await fleet('job', 'retry', id, '--wait')
  is(again.code, 1)
  match(again.out, /127\.0\.20\.3 .* skipped/)
})

test('a room or center stands for its computers, by name or id', async () => {
  const of = async (...words: string[]) => {
    const { out } = await fleet('send', 'wol', '--type', 'broadcast', '--wait', ...words)
    return [...out.matchAll(/^127\S+/gm)].map(([ip]) => ip)
  }
  const everyone = [good, bad, off]
  const found = await Promise.all([
    of('--center', 'Center'),
    of('--center', '1', '--room', 'Room'),
    of('--client', `pc-${off}`),
  ])
  equal(found, [everyone, everyone, [off]])
})

/** What it says when it cannot be called like this. */
async function complaint(...words: string[]): Promise<string> {
  const { code, out, error } = await fleet('send', ...words)
  equal([code, out, error.split('\n').length], [2, '', 2], error)
  return error
}

test('a name that is unknown, stands for several or for nobody is a usage error of one line', async () => {
  const about = (...words: string[]) => complaint('wol', '--type', 'broadcast', ...words)
  const told = await Promise.all([
    about('--center', 'Centre'),
    about('--room', 'Room'),
    about('--room', '1'),
    about('--client', 'pc'),
    about(),
  ])
  const [misspelt, ambiguous, empty, misnamed, nobody] = told
  is(misspelt, 'fleet: --center: expected Center, got Centre\n')
  is(ambiguous, 'fleet: --room: expected one of the ids 1 (Center), 3 (Other), got Room\n')
  is(empty, 'fleet: 1: there are no computers in it\n')
  match(misnamed ?? '', /^fleet: --client: there is no pc; pc-127/)
  match(nobody ?? '', /^fleet: wol: --client: missing; /)
})

test('an unknown command, option or value is a usage error that names what would be right', async () => {
  const told = await Promise.all([
    complaint('shell-rum', '--client', good),
    complaint('shell-run', '--client', good),
    complaint('shell-run', '--client', good, '--rum', 'x'),
    complaint('setup', '--client', good, '--json', '[]'),
    complaint('job-retry', '--id', '1', '--only', 'x'),
    complaint('job-cancel', '--id', 'x'),
    complaint('poweroff', '--client', off, '--expires', 'soon'),
    complaint(),
  ])
  const expected = [
    /^fleet: send: expected shell-run, got shell-rum/,
    /^fleet: shell-run: --run: missing/,
    /^fleet: unknown option '--rum' .*--run/,
    /^fleet: --json: is no object, got \[\]; /,
    /^fleet: .*Allowed choices are failed\./,
    /^fleet: job-cancel: id: wrong form, got "x"; /,
    /^fleet: --expires: expected seconds, got soon/,
    /^fleet: send: the command comes first/,
  ]
  for (const [index, pattern] of expected.entries()) match(told[index] ?? '', pattern)
})

test('--json is the payload, options are laid over it', async () => {
  const json = JSON.stringify({ run: 'one', echo: false, more: 1 })
  await fleet('send', 'shell-run', '--client', good, '--json', json, '--run', 'two', '--wait')
  equal(goodAgent.requests.at(-1)?.body, { run: 'two', echo: false, more: 1 })
})

test('queued work waits with --queue, --expires, --wake and can be called off', async () => {
  const sent = await fleet('send', 'poweroff', '--client', off, '--expires', '60', '--wake')
  const id = /job (\d+)/.exec(sent.out)?.[1] ?? ''
  is((await lab.call(`GET /jobs/${id}`)).json.counts.queued, 1)
  is((await fleet('job', 'cancel', id)).code, 0)
  is((await lab.call(`GET /jobs/${id}`)).json.counts.cancelled, 1)
})

test('any command can be sent: keys of its payload that clash with nothing are options', async () => {
  const added = await fleet('send', 'room-add', '--name', 'New', '--netmask', '255.255.255.0', '--center', '2')
  equal(added, { code: 0, out: 'done\n', error: '' })
  const read = await fleet('send', 'client-info', '--client', good)
  is(JSON.parse(read.out).ip, good)
  const refused = await fleet('send', 'center-add', '--name', 'Other')
  equal([refused.code, refused.out], [1, ''])
  match(refused.error, /^fleet: POST \/center\/add: refused; the daemon's log says why \(400\)\n$/)
})

test("a command's own help has its options", async () => {
  const { code, out } = await fleet('send', 'shell-run', '--help')
  is(code, 0)
  match(out, /Run a shell script[\s\S]*--queue[\s\S]*--run <text> +\(required\)[\s\S]*--echo/)
})

test('nothing but the table is written when piped, and no colours', async () => {
  const { out, error } = await programWith(
    { FORCE_COLOR: '0' },
    'send',
    'shell-run',
    '--client',
    good,
    ...script,
    '--wait',
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  equal([/\x1b|\r/.test(out), error], [false, ''])
})

test.run()
