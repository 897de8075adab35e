// What the audit log is told of edits that cannot be taken back.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { noteEdit } from '../../host/store/note-edit.ts'

const test = suite('noted edits')

test('an edit whose names cannot be read is noted with their ids', async () => {
  const noted: string[] = []
  const isAway = async () => {
    throw new Error('the database does not respond')
  }
  const store = { scopes: isAway, repositories: { list: isAway }, groups: { list: isAway } }
  const user = { id: 3, name: 'pepe', rooms: [1], hash: 'a' }
  const changed = { ...user, rooms: [1, 2], hash: 'b' }
  await noteEdit(
    { about: (what: string) => void noted.push(what) } as never, // `as`: nothing else of a request is used.
    { kind: 'user', before: user, after: changed },
    store as never, // `as`: it reads no more.
  )
  equal(noted, ['user pepe changed: rooms, password (rooms: 1 → 1, 2)'])
})

test.run()
