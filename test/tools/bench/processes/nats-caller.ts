// Child process that publishes a command to all clients of a NATS server, and keeps their replies on disk.
import type { Socket } from 'node:net'
import { serveParent } from './child-process.ts'
import { openNats, published } from './nats-client.ts'
import { ReplyLog } from './reply-log.ts'

const log = new ReplyLog()
let socket: Socket

export type NatsCaller = typeof calls
const calls = serveParent({
  async open({ port, file }: { port: number; file: string }): Promise<void> {
    await log.open(file)
    await new Promise<void>(onReady => {
      const onMessage = (payload: Buffer) => void log.store(payload, 1)
      socket = openNats({ port, localAddress: '127.0.0.1', subject: 'replies', onReady, onMessage })
    })
  },
  /** Keeps the command, too. */
  async send({ text, count }: { text: string; count: number }): Promise<void> {
    log.expect(count)
    await log.store(Buffer.from(text), 0)
    socket.write(published('commands', text))
  },
  stored: () => log.stored(),
})
