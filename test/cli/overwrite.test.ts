// `fleet restore` and `fleet send image-restore` where another system stands.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startLab } from '../harness/lab.ts'
import { layout, root } from '../harness/lab-images.ts'

const lab = await startLab({ repository: true })
const source = await lab.computer()
await lab.create(source, { description: 'A system' }, { content: 'one' })
const windows = await lab.computer({ ...layout, partition_setup: [{ ...root, os: 'Windows 10' }] })
const { fleet, fleetOnTerminal, remove } = openShellOf(lab)
const plans = async () => (await lab.call('GET /image/plans')).json.plans
const restore = ['restore', 'linux', '--room', 'Room', '--at', '22:00']
const direct = ['--disk', '1', '--partition', '1', '--repository', '10.9.9.9', '--type', 'UNICAST', '--profile', '0']
const loss = /\n! Windows 10 · disk 1 partition 1 · 1 computer: ANOTHER SYSTEM, which is lost\n/

const test = suite('restores by the command line where another system stands')
test.after(async () => {
  remove()
  await lab.stop()
})

test('fleet restore goes where the image was made, shows what is lost, and requires --overwrite', async () => {
  const { code, out, error } = await fleet(...restore, '--yes')
  match(out, /^restore linux \(Debian 12\) from 10\.9\.9\.9 to disk 1, partition 1 of 2 computers\n/)
  match(`${out}\n`, loss)
  match(out, /\n {2}Debian 12 · disk 1 partition 1 · 1 computer/)
  equal(
    [code, error],
    [2, 'fleet: restore: expected --overwrite, as 1 computer would lose another system; --except leaves some out\n'],
  )
  equal(await plans(), [])
})

test('with --overwrite the question names what is lost', async () => {
  const no = await fleetOnTerminal('n', ...restore, '--overwrite')
  match(no.error, /^Overwrite disk 1, .* of 2 computers, which LOSES ANOTHER SYSTEM: Windows 10 \(1 computer\)\n/)
  equal(await plans(), [])
  is((await fleet(...restore, '--overwrite', '--yes')).code, 0)
  is((await plans()).length, 1)
})

test('fleet send image-restore needs the name or the id, and skips another system without --overwrite', async () => {
  const { out } = await fleet('send', 'image-restore', '--client', windows.addr, ...direct, '--name', 'linux', '--wait')
  match(out, /skipped.*has Windows 10, image linux has Debian 12/)
  const asked = await fleetOnTerminal(
    'n',
    'send',
    'image-restore',
    '--client',
    windows.addr,
    ...direct,
    '--id',
    'linux',
  )
  match(`\n${asked.out}`, loss)
  match(asked.error, /computers with another system are skipped \(--overwrite\)/)
  await fleet('send', 'image-restore', '--client', windows.addr, ...direct, '--id', 'linux', '--overwrite')
  const { body } = await windows.agent.next('/image/restore')
  const { disk, partition, repository, type, profile } = {
    disk: '1',
    partition: '1',
    repository: '10.9.9.9',
    type: 'UNICAST',
    profile: '0',
  }
  equal(body, { disk, partition, name: 'linux', repository, type, profile, id: '1' })
  ok(await plans())
})

test('fleet send image-restore says that a computer without an inventory has no known system', async () => {
  await lab.addComputer('127.0.5.93')
  const { out } = await fleetOnTerminal(
    'n',
    ...['send', 'image-restore', '--client', '127.0.5.93', ...direct, '--id', 'linux'],
  )
  match(out, /there now:\n {2}no known system · disk 1 partition 1 · 1 computer\n/)
})

test('fleet restore says how computers come to it that run a system', async () => {
  const { addr } = await lab.computer({ ...layout, status: 'LINUX' })
  const one = ['restore', 'linux', '--client', addr, '--at', '22:00', '--dry-run']
  match(
    (await fleet(...one)).out,
    / runs Linux, not the live system\nfleet nightly '.+' --then poweroff --at "20.+ 21:50" --until 22:00: /,
  )
  is((await fleet(...one, '--no-wake')).out.includes('--then poweroff'), false)
})

test.run()
