// What the console of a computer in a live system shows.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, match, ok } from 'uvu/assert'
import { type ScreenState, screenText } from '../../host/linux-agent/program/live-screen/screen-text.ts'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

const waiting: ScreenState = {
  name: 'pc-21',
  addresses: ['10.1.1.21 52:54:00:12:34:01'],
  server: '10.1.1.1:8889',
  problem: '',
  work: undefined,
  last: undefined,
}
const body = { name: 'debian', disk: '1', partition: '2', id: '3' }
const restore = { route: 'POST /image/restore', body }

const lab = await startTestHost()
const fixture = createLinuxFixture()
const addr = '127.0.45.1'
const turnOff = fixture.record('turn-off')
/** What the agent has drawn. */
const drawn = () => readFileSync(join(fixture.root, 'dev/tty1'), 'utf8').split('\x1b[?25l\x1b[H').slice(1)
const newest = () => drawn().at(-1) ?? ''

const test = suite('screen of a live system')

test.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})

test('it has the name, the address, the server and what the computer waits for', () => {
  is(
    screenText(waiting),
    `
  pc-21                                                     fleet-agent source
  ----------------------------------------------------------------------------
  Address   10.1.1.21 52:54:00:12:34:01
  Server    10.1.1.1:8889
  State     connected, waits for commands

`,
  )
  match(screenText({ ...waiting, name: '' }), 'connected, waits to be adopted, and for commands')
  match(screenText({ ...waiting, problem: 'connect ECONNREFUSED' }), 'waits for the server: connect ECONNREFUSED\n')
  match(screenText({ ...waiting, addresses: [] }), 'Address   none yet\n')
})

test('a copy has a bar, its percent, amount and rate, and the time that is left', () => {
  const progress = { percent: 50.6, bytes: 1_230_000_000, size: 2_460_000_000, rate: 98_500_000, remaining: 3725 }
  const text = screenText({ ...waiting, work: { request: restore, progress } })
  const half = 34
  const lines = [
    '  State     runs image/restore debian, disk 1, partition 2',
    '',
    `  [${'#'.repeat(half)}${'.'.repeat(half)}]  50 %`,
    '  1.2 GB of 2.5 GB   98.5 MB/s   1:02:05 left',
  ]
  match(text, `${lines.join('\n')}\n`)
  const create = { percent: 0, bytes: 500_000, rate: 1000 }
  match(screenText({ ...waiting, work: { request: restore, progress: create } }), '\n  0.5 MB   0.0 MB/s\n')
})

test('what ended last is there with its reason, in at most four rows, and without control characters', () => {
  const lastWith = (reason: string) => screenText({ ...waiting, last: { request: restore, reason } })
  match(lastWith(''), '\n  Before    image/restore debian, disk 1, partition 2: success\n')
  const long = lastWith(`\x1b[2Jno\tspace\n${'left on the device '.repeat(40)}${'x'.repeat(300)}`)
  match(long, 'partition 2: [2Jno space left on the\n            device left on')
  ok(long.split('\n').length <= 13, 'it fits on 25 rows')
  for (const text of [long, lastWith('y'.repeat(500))]) for (const row of text.split('\n')) ok(row.length <= 79, row)
})

test('the agent draws it on the console of the computer at each change', async () => {
  fixture.file('dev/tty1', '')
  const fail = `until [ -e ${turnOff} ]; do sleep 0.1; done; echo no power; exit 3`
  startLinuxAgent({ port: lab.host.ports.agents, addr, fixture, more: { live: 'yes', 'poweroff-command': fail } })
  await pollUntil(() => newest().includes('Before    refresh: success'))
  match(newest(), 'computer without a record  ')
  fixture.file('proc/cmdline', 'boot=live systemd.hostname=lab-r01-c07')
  await lab.addComputer(addr)
  const ended = lab.event('command-ended', { addr })
  await lab.call('POST /image/create', {
    clients: [addr],
    ...body,
    repository: '10.9.9.9',
    code: '1',
    description: 'x',
  })
  match(String((await ended).reason), 'expected that of this server')
  await pollUntil(() => newest().includes('partition 2: repository:'))
  match(newest(), '  lab-r01-c07 ')
  ok(newest().endsWith('\x1b[J'))
  ok(
    drawn().every((text, index) => text !== drawn()[index - 1]),
    'only changes are drawn',
  )
})

test('a power off is there while its command runs, also after what it has ended, and then why it failed', async () => {
  await lab.call('POST /shell/run', { clients: [addr], run: 'sleep 600', echo: true })
  await pollUntil(() => newest().includes('State     runs shell/run'))
  await lab.call('POST /poweroff', { clients: [addr] })
  await pollUntil(() => /runs poweroff.*Before {4}shell\/run: stopped/s.test(newest()))
  writeFileSync(turnOff, '')
  await pollUntil(() => newest().includes('Before    poweroff: exit code 3: no power'))
  match(newest(), 'State     connected, waits for commands')
})

test.run()
