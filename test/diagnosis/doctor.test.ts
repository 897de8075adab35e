// `GET /doctor` and `fleet doctor`, on a host: its server, and clients with and without problems.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { sayHello } from '../harness/hello.ts'
import { inside, outside, startLab } from '../harness/lab.ts'

const [here = '', , there = ''] = [...inside, ...outside]
const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
const moved = '127.0.41.20'
const neighbourTable = join(folder, 'arp')
writeFileSync(neighbourTable, `${here}  0x1  0x2  00:1b:21:00:00:05  *  eth0\n`)
const lab = await startLab({
  scope: true,
  neighbourTable,
  options: { agents: { ip: '0.0.0.0', port: 0, allow: [`${here}/32`, `${moved}/32`] }, wol: { interface: 'none0' } },
})
const { fleet, remove } = openShellOf(lab)

const test = suite('doctor')
test.after(async () => {
  remove()
  rmSync(folder, { recursive: true })
  await lab.stop()
})

interface Found {
  check: string
  level: string
  text: string
  advice?: string
}

async function findings(client?: string): Promise<Found[]> {
  const { status, json } = await lab.call('GET /doctor', client === undefined ? undefined : { client: [client] })
  is(status, 200)
  return json.findings
}

const textOf = (list: Found[], check: string, level: string) =>
  list.find(each => each.check === check && each.level === level)?.text ?? ''

test('the server: ports, clock, disks, store, certificate, wake-ups and boot files, each wrong one with what to do', async () => {
  const list = await findings()
  equal(
    ['ports', 'clock', 'disk', 'store', 'certificate', 'wake-up', 'boot files'].filter(
      check => !list.some(each => each.check === check),
    ),
    [],
  )
  match(textOf(list, 'wake-up', 'problem'), 'wol.interface: this server has no interface none0 with an IPv4 address')
  ok(list.every(({ level, advice }) => (level === 'ok') === (advice === undefined)))
})

test('a client whose hardware address, name and agent are not those of its record', async () => {
  const agent = await lab.agent(here)
  const read = lab.event('client-hello', { addr: here })
  sayHello(agent, { name: 'other.example.org', agent: 'fleet-agent 0.0.1', mac: '001b21000005' })
  await read
  const list = await findings(here)
  match(textOf(list, 'connection', 'ok'), 'it is connected: ')
  match(
    textOf(list, 'hardware address', 'problem'),
    /^its record has \w+, the network says 001b21000005; wake-ups go to that/,
  )
  match(textOf(list, 'record', 'warning'), /^name: its record has .*, its agent says other\.example\.org$/)
  match(textOf(list, 'agent', 'warning'), /^fleet-agent 0\.0\.1, this server has fleet-agent \d/)
  const gone = lab.event('client-gone', { addr: here })
  agent.destroy()
  await gone
  match(textOf(await findings(here), 'connection', 'warning'), /^it is not connected; it was connected until \d{4}-/)
})

test('a computer that is on at another address: its record and the pending client name each other', async () => {
  const { mac, name } = (await lab.call('GET /client/info', { client: [here] })).json
  const agent = await lab.agent(moved)
  const read = lab.event('client-hello', { addr: moved })
  sayHello(agent, { name: 'moved-pc', mac })
  await read
  const advice = `fleet computer edit ${here} --ip ${moved}`
  const ofRecord = (await findings(here)).find(({ check }) => check === 'address')
  equal([ofRecord?.level, ofRecord?.text.split(' is ')[1]], ['problem', `that of the pending client ${moved}`])
  match(ofRecord?.advice ?? '', advice)
  const [ofClient] = await findings(moved)
  match(ofClient?.text ?? '', `is that of ${name} (${here})`)
  match(ofClient?.advice ?? '', advice)
  match((await fleet('doctor', 'moved-pc')).out, advice)
  match(
    textOf(await findings(), 'address', 'warning'),
    `${moved} has no record, and its hardware address ${mac} is that`,
  )
  match(
    (await fleet('pending')).out,
    `\n${moved}: its hardware address ${mac} is that of ${name} (${here}); if it is that`,
  )
  match((await fleet('adopt', moved, '--room', 'Room')).error, advice)
  const changed = await fleet('computer', 'edit', here, '--ip', moved)
  equal([changed.code, changed.error], [0, ''])
  match(textOf(await findings(moved), 'hardware address', 'ok'), 'as in its record')
  is((await fleet('computer', 'edit', name, '--ip', here)).code, 0)
  agent.destroy()
})

test('a computer that is on at another address with another hardware address is found by its name', async () => {
  const name = 'desk-1'
  await lab.call('POST /client/update', { ip: here, name })
  match((await findings(here)).find(({ check }) => check === 'connection')?.advice ?? '', /does it reach \S+\?$/)
  const agent = await lab.agent(moved)
  const ofConnection = (await findings(here)).find(({ check }) => check === 'connection')
  match(
    ofConnection?.advice ?? '',
    `1 connected client has no record (fleet pending): if it is one of them, fleet comp`,
  )
  const read = lab.event('client-hello', { addr: moved })
  sayHello(agent, { name: 'Desk-1.example.org', mac: '001b21ffffff' })
  await read
  const ofRecord = (await findings(here)).find(({ check }) => check === 'address')
  equal(
    [ofRecord?.level, ofRecord?.text, ofRecord?.advice],
    [
      'problem',
      `its name ${name} is that of the pending client ${moved}`,
      `if it is that computer: fleet computer edit ${here} --ip ${moved} --mac 001b21ffffff`,
    ],
  )
  match(
    textOf(await findings(), 'address', 'warning'),
    `${moved} has no record, and its name ${name} is that of ${here}`,
  )
  agent.destroy()
})

test('a client that is refused, with the option, and one that is nowhere', async () => {
  const refused = lab.event('client-refused', { addr: there })
  const agent = await lab.agent(there, { auto: false })
  await refused
  await agent.closed
  const list = await findings(there)
  equal(
    list.slice(0, 3).map(({ check }) => check),
    ['record', 'refused', 'connection'],
  )
  match(textOf(list, 'refused', 'problem'), /^1 connection was refused, .*\(agents\.allow\)$/)
  match(textOf(list, 'connection', 'warning'), 'when it last was is not known')
  match(textOf(await findings(), 'refused', 'warning'), `1 connection was refused, the last of ${there} at `)
  match(textOf(await findings('127.0.41.9'), 'record', 'problem'), 'there is no computer 127.0.41.9')
})

test('limited callers ask for their own clients only, and any reader for the server', async () => {
  const limited = await lab.addToken('limited', 'read')
  equal(
    await Promise.all(
      [undefined, { client: [there] }, { client: [here] }].map(each => limited.status('GET /doctor', each)),
    ),
    [403, 403, 200],
  )
  is(await (await lab.addToken('reader', 'read', {})).status('GET /doctor'), 200)
})

test('fleet doctor marks problems and says what to do, with exit code 1 for a problem', async () => {
  const server = await fleet('doctor')
  is(server.code, 1)
  match(server.out, /✗ wake-up: wol\.interface.*\n {2}→ write one of .*lo/)
  match(server.out, /\n1 problem, \d+ warnings?; asked: \S+, fleet-host \d/)
  const client = await fleet('doctor', '127.0.41.8')
  match(client.out, /^✗ record: there is no computer 127\.0\.41\.8\n {2}→ /)
  match((await fleet('pending')).out, new RegExp(`REFUSED +COUNT .*\n${there} +1 `))
})

test.run()
