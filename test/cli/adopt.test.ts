// `fleet pending` and `fleet adopt`.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { sayHello } from '../harness/hello.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, fleetOnTerminal, remove } = openShellOf(lab)
await lab.addComputer('127.0.37.250')
const [first, second, third] = ['127.0.37.1', '127.0.37.2', '127.0.37.3']

const test = suite('fleet adopt')
test.after(async () => {
  remove()
  await lab.stop()
})

/** The API of this host can be reached from the server only. */
const noClients =
  'no clients without a record\nother computers cannot download the agent yet: write "rest": { "ip": "0.0.0.0" } ' +
  'into the options file and restart the daemon (docs/options.md)\n'

test('without clients that have no record, pending says so', async () => {
  is((await fleet('pending')).out, noClients)
})

test('without such clients, pending shows how a computer gets the agent', async () => {
  const open = await startTestHost({
    options: { rest: { ip: '0.0.0.0', port: 0 }, boot: { server: '10.1.1.1' } },
  })
  const { rest } = open.host.ports
  const { out } = await fleet('pending', '--url', `http://127.0.0.1:${rest}`)
  match(out, `\non a computer with Linux and Node 20: curl -fsS http://10.1.1.1:${rest}/agent/install.sh | sudo sh\n`)
  match(out, `, in PowerShell of an administrator: irm http://10.1.1.1:${rest}/agent/install.ps1 | iex\n`)
  await open.stop()
})

test('pending lists them with what their agents have said, and as JSON', async () => {
  for (const [addr, name] of [
    [first, 'pc-1'],
    [second, 'pc-2'],
  ] as const) {
    const agent = await lab.agent(addr)
    const read = lab.event('client-hello', { addr })
    sayHello(agent, { name, mac: `001b210a0d0${name.at(-1)}`, os: 'Debian 13' })
    await read
  }
  await lab.agent(third)
  const { code, out } = await fleet('pending')
  is(code, 0)
  match(
    out,
    /^CLIENT +NAME +MAC +OS +SERIAL +AGENT +SINCE\n127\.0\.37\.1 +pc-1 +001b210a0d01 +Debian 13 +\d{4}-\d\d-\d\d/,
  )
  match(out, /\n127\.0\.37\.3 +\d{4}-\d\d-.*\nfleet adopt <client> --room … makes records of them\n$/)
  match((await fleet('clients')).out, /; 3 without a record: fleet pending\n$/)
  equal(JSON.parse((await fleet('pending', '--json')).out), (await lab.call('GET /pending')).json)
  for (const row of (await fleetOnTerminal('', 'pending')).out.split('\n')) is(row.length <= 80, true, row)
})

test('adopt needs a room, and --name and --mac are for one client', async () => {
  equal(await fleet('adopt', first), {
    code: 2,
    out: '',
    error: "fleet: required option '--room <name or id>' not specified\n",
  })
  const { code, error } = await fleet('adopt', first, second, '--room', 'Room', '--mac', '001b210a0d01')
  equal([code, error], [2, 'fleet: --mac: expected one client, got 2\n'])
  is((await fleet('adopt', first, second, '--room', 'Room', '--name', 'x')).code, 2)
  is((await fleet('adopt', first, '--room', 'Roam')).code, 2)
})

test('a client may be named as its agent says, and a name that nobody has is an error', async () => {
  match((await fleet('doctor', 'pc-1')).out, /it is connected and has no record\n {2}→ fleet adopt 127\.0\.37\.1 /)
  const { code, error } = await fleet('adopt', 'printer', '--room', 'Room')
  equal([code, error], [2, 'fleet: there is no computer printer; fleet pending lists clients without a record\n'])
})

test('verbs say that a client is pending whose name they do not find', async () => {
  const hint = 'it is pending: fleet pending lists it, fleet adopt pc-1 --room … makes its record'
  for (const words of [['wake'], ['run'], ['restore', 'x', '--now', '--client']]) {
    const { code, error } = await fleet(...words, 'pc-1', ...(words[0] === 'run' ? ['--', 'true'] : []))
    equal([code, error], [2, `fleet: there is no computer pc-1; ${hint}\n`])
  }
})

test('a refusal is printed with its reason, and nothing is stored', async () => {
  const { code, error } = await fleet('adopt', first, third, '--room', 'Room')
  is(code, 1)
  is(error, 'fleet: 127.0.37.3: expected a name, of which its agent says none (fleet adopt --name)\n')
  is((await lab.call('GET /pending')).json.pending.length, 3)
})

test('the pending addresses complete the argument', async () => {
  const { out } = await fleet('completion-words', '--', 'adopt')
  match(out, /127\.0\.37\.1\n127\.0\.37\.2\n127\.0\.37\.3\n/)
})

test('clients are adopted by the name of the room, one with a name and a hardware address', async () => {
  is((await fleet('adopt', 'pc-1', second, '--room', 'Room')).out, '2 clients are now computers of room Room\n')
  await lab.call('POST /room/add', { name: 'Net', netmask: '255.255.255.0', gateway: '10.1.1.254', center: 1 })
  equal(await fleet('adopt', third, '--room', 'Net', '--name', 'pc-3', '--mac', '00:1b:21:0a:0d:03'), {
    code: 0,
    out: '127.0.37.3 is now a computer of room Net\n',
    error: 'fleet: warning: ip: 127.0.37.3 is not in 10.1.1.0/24, the network of room Net (gateway 10.1.1.254)\n',
  })
  is((await fleet('pending')).out, noClients)
  const { name, mac } = (await lab.call('GET /client/info', { client: [third] })).json
  equal([name, mac], ['pc-3', '001b210a0d03'])
})

test.run()
