// The connection to an agent: what it sends while other work waits is read on, up to a limit.
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { followConnection } from '../../host/agents/connection.ts'
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

/** Follows a socket whose input waits until `runNext`. */
function follow() {
  const waiting: (() => void)[] = []
  const timeSlicer: TimeSlicer = work => {
    waiting.push(work)
    return false
  }
  const socket = new FakeSocket()
  const statuses: number[] = []
  // `as`: of a socket, only these functions are used.
  followConnection(socket as unknown as Socket, {
    timeSlicer,
    limit: 100_000,
    onMessage: ({ status }) => statuses.push(status),
    onFramingError() {},
    onError() {},
    onClose() {},
  })
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

test.run()
