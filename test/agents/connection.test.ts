// The connection to an agent: what it sends while other work waits is read on, up to a limit.
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { suite } from 'uvu'
import { equal, is, throws } from 'uvu/assert'
import type { Message } from '../../host/agents/connection/codec.ts'
import { followConnection, WriteBatch } from '../../host/agents/connection/connection.ts'
import type { TimeSlicer } from '../../host/system/time-slices.ts'

/** A socket that is only paused and resumed. */
class FakeSocket extends EventEmitter {
  #isPaused = false
  isPaused(): boolean {
    return this.#isPaused
  }
  pause(): void {
    this.#isPaused = true
  }
  resume(): void {
    this.#isPaused = false
  }
}

const ignored = { onFramingError() {}, onError() {}, onClose() {} }

/** Follows a socket whose input waits until `runNext`. */
function follow() {
  const waiting: (() => void)[] = []
  const timeSlicer: TimeSlicer = work => {
    waiting.push(work)
    return false
  }
  const socket = new FakeSocket()
  const statuses: number[] = []
  const onMessage = ({ status }: Message) => void statuses.push(status)
  // `as`: of a socket, only these functions are used.
  followConnection(socket as unknown as Socket, { timeSlicer, limit: 100_000 }, { ...ignored, onMessage })
  return { socket, statuses, runNext: () => waiting.shift()?.() }
}

const reply = (status: number, length: number) =>
  Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${length}\r\n\r\n${' '.repeat(length)}`)

const test = suite('connection')

test('short replies wait while more is read, and are processed in their order', () => {
  const { socket, statuses, runNext } = follow()
  socket.emit('data', reply(200, 100))
  socket.emit('data', reply(201, 100))
  is(socket.isPaused(), false)
  runNext()
  runNext()
  equal(statuses, [200, 201])
})

test('nothing more is read while more than 4 KiB wait', () => {
  const { socket, statuses, runNext } = follow()
  socket.emit('data', reply(200, 100))
  socket.emit('data', reply(201, 5000))
  is(socket.isPaused(), true)
  runNext()
  is(socket.isPaused(), true)
  runNext()
  is(socket.isPaused(), false)
  equal(statuses, [200, 201])
})

/** As `follow`, with a stream that the test reads for. */
function followStream() {
  const waiting: (() => void)[] = []
  const stream = new Readable({ read() {} })
  const bodies: (string | undefined)[] = []
  const timeSlicer: TimeSlicer = work => waiting.push(work) === 0
  const onMessage = ({ body }: Message) => void bodies.push(body)
  // `as`: of a socket, only the functions of its stream are used.
  followConnection(stream as Socket, { timeSlicer, limit: 100_000 }, { ...ignored, onMessage })
  return { stream, bodies, waiting }
}

const numbered = (number: number, length: number) => {
  const body = String(number).padEnd(length)
  return Buffer.from(`HTTP/1.1 200 X\r\nContent-Length: ${length}\r\n\r\n${body}`)
}

test('replies keep their order when the stream is paused and read again', async () => {
  const { stream, bodies, waiting } = followStream()
  await once(stream, 'resume')
  for (let number = 0; number < 20; number += 1) stream.push(numbered(number, number % 7 === 3 ? 5000 : 100))
  is(stream.isPaused(), true)
  for (let ticks = 0; ticks < 100 && bodies.length < 20; ticks += 1) {
    waiting.shift()?.()
    if (ticks === 5) stream.push(numbered(20, 100))
    await new Promise(resolve => setImmediate(resolve))
  }
  waiting.shift()?.()
  equal(
    bodies.map(body => Number(body?.trim())),
    Array.from({ length: 21 }, (_, number) => number),
  )
  is(stream.readableLength, 0)
})

test('the end of the stream is passed on', async () => {
  const { stream, bodies, waiting } = followStream()
  await once(stream, 'resume')
  stream.push(numbered(1, 100))
  stream.push(null)
  stream.read(0)
  await once(stream, 'end')
  waiting.shift()?.()
  is(bodies.length, 1)
})

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
