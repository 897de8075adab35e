// The write batch of the agents' sockets: what is written during some work goes out together after it.
import { suite } from 'uvu'
import { equal, throws } from 'uvu/assert'
import { WriteBatch } from '../../host/agents/connection/connection.ts'

const test = suite('write batch')

test('bytes written during the work go out after it, in order, also when the work throws', () => {
  const batch = new WriteBatch()
  const written: string[] = []
  const socket = (name: string) => ({ write: (bytes: unknown) => written.push(`${name} ${bytes}`) > 0 })
  const [one, two] = [socket('one'), socket('two')]
  batch.write(one, Buffer.from('a'))
  equal(written.splice(0), ['one a'])
  batch.run(() => {
    batch.write(two, Buffer.from('b'))
    batch.write(one, Buffer.from('c'))
    batch.write(two, Buffer.from('d'))
    equal(written, [])
  })
  equal(written.splice(0), ['two b', 'one c', 'two d'])
  throws(
    () =>
      batch.run(() => {
        batch.write(one, Buffer.from('e'))
        throw new Error('thrown by the work')
      }),
    /thrown by the work/,
  )
  equal(written.splice(0), ['one e'])
  batch.write(two, Buffer.from('f'))
  equal(written, ['two f'])
})

test.run()
