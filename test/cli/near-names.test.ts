// Names in other capitals, and what is listed where a name is unknown or missing.
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import { findRecords } from '../../host/cli/api/find-record.ts'
import { openShellOf } from '../harness/cli-shell.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const { fleet, remove } = openShellOf(testHost)
await testHost.addComputer('127.0.24.1')
await testHost.call('POST /center/add', { name: 'Science faculty' })
for (const name of ['Room', 'Room 101'])
  await testHost.call('POST /room/add', { name, netmask: '255.255.255.0', center: 2 })

const test = suite('near names')
test.after(async () => {
  remove()
  await testHost.stop()
})

test('a comma may be in the name of a room, however it is written', () => {
  const rooms = ['Lab, East', 'Lab'].map((name, at) => ({ id: at + 1, name, center: 'Arts' }))
  const idsOf = (text: string) => findRecords('--room', [text], rooms).map(({ id }) => id)
  equal(['Lab, East', 'Arts/Lab, East', 'LAB, east', 'lab,1'].map(idsOf), [[1], [1], [1], [2, 1]])
  throws(() => idsOf('Lab, East,2'), /expected .* got East$/)
})

test('a name in other capitals is taken, and few names are listed where none is like it', async () => {
  is((await fleet('room', 'show', 'ROOM 101')).code, 0)
  is((await fleet('room', 'show', 'hall')).error, 'fleet: room: expected one of Room, Room, "Room 101", got hall\n')
  const { code, error } = await fleet('room', 'add', 'Hall', '--netmask', '255.255.255.0')
  equal([code, error], [2, 'fleet: --center: expected one of Center, "Science faculty", got none\n'])
})

test.run()
