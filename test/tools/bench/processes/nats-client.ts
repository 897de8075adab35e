// One connection to a NATS server: subscribes to a subject and publishes.
import { connect, type Socket } from 'node:net'

interface Connection {
  port: number
  localAddress: string
  /** Of what it wants to receive. */
  subject: string
  /** Called when the subscription is known. */
  onReady(): void
  onMessage(payload: Buffer): void
}

const blank = '\r\n'

export function openNats({ port, localAddress, subject, onReady, onMessage }: Connection): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  const options = { verbose: false, pedantic: false, lang: 'bench', version: '1' }
  socket.write(`CONNECT ${JSON.stringify(options)}\r\nSUB ${subject} 1\r\nPING\r\n`)
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', chunk => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    for (;;) {
      const end = bytes.indexOf(blank)
      if (end < 0) break
      const [word = '', ...words] = bytes.toString('latin1', 0, end).split(' ')
      const length = word === 'MSG' ? Number(words.at(-1)) + blank.length : 0
      const next = end + blank.length + length
      if (bytes.length < next) break
      if (word === 'MSG') onMessage(bytes.subarray(end + blank.length, next - blank.length))
      if (word === 'PING') socket.write('PONG\r\n')
      if (word === 'PONG') onReady()
      bytes = bytes.subarray(next)
    }
    rest = bytes
  })
  socket.on('error', () => {}) // 'close' follows
  return socket
}

export const published = (subject: string, payload: string): string =>
  `PUB ${subject} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`
