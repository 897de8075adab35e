// The write batch of the agents' sockets: what is written during some work goes out together after it.
import { suite } from 'uvu'
import { equal, throws } from 'uvu/assert'
import { createWriteBatch } from '../../host/agents/connection/write-batch.ts'

const test = suite('write batch')

test('bytes written during the work go out after it, in order, also when the work throws', () => {
  const { write, run } = createWriteBatch()
  const written: string[] = []
  const socket = (name: string) => ({ write: (bytes: Buffer) => written.push(`${name} ${bytes}`) })
  const [one, two] = [socket('one'), socket('two')]
  write(one, Buffer.from('a'))
  equal(written.splice(0), ['one a'])
  run(() => {
    write(two, Buffer.from('b'))
    write(one, Buffer.from('c'))
    write(two, Buffer.from('d'))
    equal(written, [])
  })
  equal(written.splice(0), ['two b', 'one c', 'two d'])
  throws(
    () =>
      run(() => {
        write(one, Buffer.from('e'))
        throw new Error('thrown by the work')
      }),
    /thrown by the work/,
  )
  equal(written.splice(0), ['one e'])
  write(two, Buffer.from('f'))
  equal(written, ['two f'])
})

test.run()
