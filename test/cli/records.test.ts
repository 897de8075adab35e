// `fleet room`, `center`, `computer`, `task` and `procedure`: add, edit, delete and list.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const { fleet, fleetOnTerminal, remove } = openShellOf(lab)
await lab.addComputer('127.0.29.1')

const test = suite('verbs of records')
test.after(async () => {
  remove()
  await lab.stop()
})

const asWritten = '{"wake":true,"until":"06:30","then":"poweroff"}'

/** What was printed; it has to be the only thing, with exit code 0. */
async function done(...args: string[]): Promise<string> {
  const { code, out, error } = await fleet(...args)
  equal([code, error], [0, ''], error)
  return out
}

test('a room is added to the only center, changed, listed and deleted by its name, with what it contains', async () => {
  is(await done('room', 'add', 'Studio', '--netmask', '/24', '--tags', 'cad', 'exam'), 'Room Studio added (id 2)\n')
  is(
    await done('room', 'edit', 'Studio', '--gateway', '10.1.1.254'),
    'Room Studio changed: gateway 10.1.1.254; take it back with: fleet undo 1\n',
  )
  is(
    await done('computer', 'add', 'pc-10', '--ip', '10.1.1.10', '--mac', '001b210a0b0c', '--room', 'Studio'),
    'Computer pc-10 added (id 2)\n',
  )
  is(
    await done('computer', 'edit', 'pc-10', '--row', '2', '--column', '3'),
    'Computer pc-10 changed: row 2, column 3; take it back with: fleet undo 2\n',
  )
  equal((await lab.call('GET /client/info', { client: ['10.1.1.10'] })).json.place, { row: 2, column: 3 })
  match(
    await done('room', 'list'),
    /^ID +NAME +CENTER +COMPUTERS +NETMASK +TAGS\n 1 +Room +Center +1 +255\.255\.255\.0 *\n 2 +Studio +Center +1 +255/,
  )
  match(
    await done('room', 'show', 'Studio'),
    /\nnetmask +255\.255\.255\.0\n[\s\S]*gateway +10\.1\.1\.254\n[\s\S]*tags +cad exam\n/,
  )
  await done('computer', 'edit', 'pc-10', '--tags', 'cad')
  is(
    await done('computer', 'edit', 'pc-10', '--tags', ''),
    'Computer pc-10 changed: no tags; take it back with: fleet undo 4\n',
  )
  equal((await lab.call('GET /client/info', { client: ['10.1.1.10'] })).json.tags, [])
  match(await done('room', 'show', 'Studio'), /center +Center *\n/)
  const shown = await done('computer', 'show', 'pc-10')
  for (const row of ['mac +00:1b:21:0a:0b:0c', 'room +Studio', 'center +Center', 'netmask +255.255.255.0'])
    match(shown, new RegExp(`\n${row} *\n`))
  const { rooms } = JSON.parse(await done('room', 'list', '--json'))
  const { center, computers, gateway, tags } = rooms.at(-1)
  equal([center, computers, gateway, tags], ['Center', 1, '10.1.1.254', ['cad', 'exam']])
  const { clients } = JSON.parse(await done('computer', 'list', '--room', 'Room,Studio', '--json'))
  equal([clients[1].room, clients[1].state, clients[1].mac], ['Studio', 'off', '001b210a0b0c'])
  is((await lab.call('POST /room/update', { room: 1, gateway: '' })).status, 200)
  for (const gateway of ['banana', '10.3.0.999']) {
    is((await lab.call('POST /room/update', { room: 1, gateway })).status, 400)
    const { code, error } = await fleet('room', 'edit', 'Studio', '--gateway', gateway)
    equal([code, error], [2, `fleet: room edit: gateway: expected an address such as 10.1.1.254, got "${gateway}"\n`])
  }
  const twin = await fleet('computer', 'add', 'pc-11', '--ip', '10.1.1.11', '--mac', '00:1b:21:0a:0b:0c', '--room', '2')
  match(twin.error, /^fleet: warning: several .* hardware address .*: pc-10 \(10\.1\.1\.10, Studio\), pc-11 \(/)
  match(await done('computer', 'edit', 'pc-11', '--room', '1'), /^Computer pc-11 changed: room Room; take it back/)
  match((await fleet('doctor')).out, /! hardware addresses: .* 001b210a0b0c \(10\.1\.1\.10, 10\.1\.1\.11\)\n/)
  await done('computer', 'delete', 'pc-11', '--yes')
  is(
    await done('room', 'edit', 'Studio', '--tags', ''),
    'Room Studio changed: no tags; take it back with: fleet undo 7\n',
  )
  match(await done('room', 'list'), /\n 2 +Studio +Center +1 +255\.255\.255\.0 *\n/)
  const refused = await fleet('room', 'delete', 'Studio')
  is(refused.code, 2)
  match(refused.error, /^fleet: room delete: expected --yes, .*: Delete room Studio with 1 computer\n$/)
  match((await fleetOnTerminal('no', 'room', 'delete', 'Studio')).error, /fleet: room delete: not sent/)
  is(
    await done('room', 'delete', 'Studio', '--yes'),
    'Room Studio with 1 computer deleted; take it back with: fleet undo 8\n',
  )
})

test('a room whose name only differs in its letters is added with a warning', async () => {
  const { code, error } = await fleet('room', 'add', 'ROOM', '--netmask', '255.255.255.0')
  equal([code, error], [0, 'fleet: warning: name: this center has a room Room, too\n'])
  await done('room', 'delete', 'ROOM', '--yes')
})

test('names are listed in the order of their numbers', async () => {
  for (const name of ['Lab 10', 'Lab 2']) await done('center', 'add', name)
  const names = [...(await done('center', 'list')).matchAll(/Lab \d+/g)].map(([name]) => name)
  equal(names, ['Lab 2', 'Lab 10'])
  const json = JSON.parse(await done('center', 'list', '--json'))
  equal(json.centers.at(-1), { id: 3, name: 'Lab 2', computers: 0 })
  equal(JSON.parse(await done('center', 'delete', 'Lab 2', '--yes', '--json')), { id: 3, undo: 10 })
})

test('a task takes procedures and rooms by name, and keeps what an edit does not name', async () => {
  const steps = '[{"command": "shell-run", "params": {"run": "sync", "echo": true}}]'
  await done('procedure', 'add', 'Tidy up', '--center', 'Center', '--steps', steps)
  const target = ['--center', 'Center', '--room', 'Room', '--procedure', 'Tidy up']
  is(await done('task', 'add', 'Evening', ...target, '--wake', '--until', '06:30'), 'Task Evening added (id 1)\n')
  is(
    await done('task', 'edit', 'Evening', '--then', 'poweroff'),
    'Task Evening changed: wake true, until 06:30, then poweroff; take it back with: fleet undo 11\n',
  )
  match(await done('undo', 'show', '11'), /\ntask Evening +options +then - +then poweroff\n/)
  const [task] = (await lab.call('GET /tasks')).json.tasks
  const { name, where, options } = task
  equal([name, where, JSON.stringify(options)], ['Evening', 'room_id:1', asWritten])
  match(
    await done('task', 'list'),
    /1 +Evening +Center +Room \(follows the room\) +Tidy up +wake, until 06:30, then power/,
  )
  const same = 'Task Evening stays as it is: nothing is to change\n'
  is(await done('task', 'edit', 'Evening', '--procedure', 'Tidy up'), same)
  is(await done('task', 'delete', 'Evening'), 'Task Evening deleted; take it back with: fleet undo 12\n')
  match(await done('procedure', 'list'), /1 +Tidy up +Center +shell-run\n/)
})

test('what is missing or unknown is a usage error that names the subcommand', async () => {
  const errorOf = async (...args: string[]) => {
    const { code, error } = await fleet(...args)
    is(code, 2)
    return error
  }
  is(await errorOf('computer', 'add', 'pc'), 'fleet: computer add: --ip, --mac, --room: missing\n')
  is(await errorOf('room', 'add'), "fleet: missing required argument 'new name'\n")
  match(await errorOf('room', 'edit', 'Rom', '--dns', 'x'), /^fleet: room: expected Room, got Rom\n$/)
  const { error } = await fleet('room', 'edit', 'Room', '--netmask', '/33')
  match(error, /netmask: expected an IPv4 netmask such as 255\.255\.255\.0, got "\/33"/)
  match(await errorOf('room', 'add', 'x', '--gatway', 'y'), /unknown option '--gatway' .*--gateway/)
  const helpOf = async (...args: string[]) => (await fleet(...args, '--help')).out.replaceAll(/\s+/g, ' ')
  match(
    await helpOf('room', 'add'),
    /^Usage: fleet room add \[options\] <new name> .*--netmask <netmask or \/24> .* \(required\) /,
  )
  match(await helpOf('room', 'add'), / --center <name or id> [^(]*\(default: the only one\) /)
  is((await helpOf('task', 'edit')).includes('required'), false)
  match(await helpOf('task', 'edit'), / --center <name or id> [^(]*\(default: as it is\) /)
})

test('options of the records are completed as the API has them', async () => {
  const wordsOf = (typed: string, ...words: string[]) => done('completion-words', '--typed', typed, '--', ...words)
  is(await wordsOf('--gat', 'room', 'add', 'Studio'), '--gateway\n')
  is(await wordsOf('Ro', 'room', 'delete'), 'Room\n')
  is(await wordsOf('Tid', 'task', 'add', 'x', '--procedure'), 'Tidy up\n')
  is(await wordsOf('Ro', 'nightly', '--room'), 'Room\n')
})

test.run()
