// How some computers of a room are left out: `--except`, and maintenance.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ repository: true })
const [source, other] = [await lab.computer(), await lab.computer()]
await lab.create(source, { description: 'A system' }, { content: 'one' })
const { printed, remove } = openShellOf(lab)

const test = suite('computers that are left out')
test.after(async () => {
  remove()
  await lab.stop()
})

test('a room gets an image without some of its computers', async () => {
  const place = ['--disk', '1', '--partition', '1']
  const restore = (...args: string[]) => printed('restore', 'linux', ...place, '--at', '22:00', '--dry-run', ...args)
  const one = /to disk 1, partition 1 of 1 computer\n(.*\n)+Center +Room +1\n/
  match(await restore('--room', '1', '--except', source.addr), one)
  match(await restore('--where', `room_id:1 -ip:${source.addr}`), one)
  match(await restore('--room', '1', '--except', 'nowhere'), /^fleet: there is no computer nowhere/)
  is(await printed('wake', 'Room'), 'fleet: there is no computer Room; of the room: --room "Room"\n')
  match(await restore('--client', source.addr, '--except', source.addr), /^fleet: --except: expected others than all /)
  await lab.addComputer('127.0.34.4', { name: 'stray' })
  match(
    await restore('--client', source.addr, '--except', 'stray'),
    /^fleet: --except: stray: not among the computers that are chosen, or left out already\n/,
  )
  match(await restore('--where', `ip:${source.addr}`, '--except', 'stray'), one)
  await lab.call('POST /client/delete', { clients: ['127.0.34.4'] })
  match(
    await restore('--except', source.addr),
    /^fleet: --except: expected also what chooses computers, such as --room\n/,
  )
})

test('a query and a room are two choices, which are not mixed', async () => {
  const mixed = ['--where', 'os:win', '--room', 'Room']
  const refusal = /^fleet: expected one of --where, --group and a list, got --where and a list of computers or rooms/
  match(await printed('failures', '--seen', ...mixed), refusal)
  match(await printed('nightly', '--run', 'sync', '--at', '22:30', ...mixed), refusal)
})

test('what a room does every night leaves out a computer for good, or in its maintenance', async () => {
  await lab.addComputer('127.0.34.3', { name: 'pc-3' })
  const args = ['--room', 'Room', '--except', source.addr, '--run', 'sync', '--name', 'Some', '--at', '22:30']
  const { task } = JSON.parse(await printed('nightly', ...args, '--json'))
  const { tasks } = (await lab.call('GET /tasks')).json
  equal(tasks.find(({ id }: { id: number }) => id === task).where, '(room_id:1) -computer_id:1')
  match(
    await printed('computer', 'edit', 'pc-3', '--maintenance'),
    /^Computer pc-3 changed: maintenance true; tasks and schedules leave it out until --no-maintenance; take it back/,
  )
  const shown = await printed('schedule', 'show', 'Some')
  match(shown, /\nfor +Room − \S+ \(follows the room\)\n/)
  match(shown, /\nleft out +pc-3 \(in maintenance\)\n/)
  match(await printed('schedule', 'edit', 'Some', '--except', 'pc-3'), /is for: Room − \S+, pc-3 \(follows the room\)/)
  match(await printed('schedule', 'edit', 'Some', '--except', 'pc-3'), /^fleet: --except: pc-3: not among the /)
  match(await printed('schedule', 'edit', 'Some', '--room', 'Room'), /is for: Room \(follows the room\)/)
  match(await printed('clients', 'pc-3'), /\n127\.0\.34\.3 .*\n1 off\n$/)
  const listed = await printed('clients', '--room', 'Room', '--except', source.addr, other.addr)
  match(listed, /\n127\.0\.34\.3 +pc-3 +Room +off, never connected, maintenance *\n1 off\n$/)
})

test.run()
