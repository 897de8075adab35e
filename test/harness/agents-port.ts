// A port for agents without a daemon behind it: sends an agent requests that no daemon would send, and reads its bytes.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Decoder, encodeRequest, toWireJson } from '../../host/agents/connection/codec.ts'
import { withTimeout } from './rest-call.ts'

interface AgentMessage {
  status: number
  body: unknown
}

export type AgentConnection = ReturnType<typeof connectionOf>

const messageLimit = 131_072 // bytes, as the daemon has it

export async function startAgentsPort() {
  const sockets: Socket[] = []
  const waiting = createQueue<AgentConnection>('a connection')
  const server = createServer(socket => {
    sockets.push(socket)
    waiting.add(connectionOf(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A TCP server has no path as its address.
    port: (server.address() as AddressInfo).port,
    /** Resolves with the next connection. */
    connection: waiting.next,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function connectionOf(socket: Socket) {
  const messages = createQueue<AgentMessage>('a message')
  const decoder = new Decoder(messageLimit, ({ status, body }) =>
    messages.add({ status, body: body === undefined ? undefined : JSON.parse(body) }),
  )
  let received = ''
  // Each `send` is a packet of its own.
  socket.setNoDelay()
  socket.on('data', bytes => {
    received += bytes.toString()
    decoder.feed(bytes)
  })
  socket.on('error', () => {})
  return {
    request: (route: string, body?: object) =>
      void socket.write(encodeRequest(route, body === undefined ? '' : toWireJson(body))),
    send: (bytes: string | Buffer) => void socket.write(bytes),
    /** Resolves with the next message that was not read. */
    next: messages.next,
    /** All bytes so far. */
    received: () => received,
    closed: once(socket, 'close'),
    close: () => socket.destroy(),
  }
}

function createQueue<Item>(name: string) {
  const items: Item[] = []
  const readers: ((item: Item) => void)[] = []
  return {
    add(item: Item): void {
      const reader = readers.shift()
      if (reader) reader(item)
      else items.push(item)
    },
    next: (): Promise<Item> =>
      withTimeout(name, resolve => {
        const item = items.shift()
        if (item === undefined) readers.push(resolve)
        else resolve(item)
      }),
  }
}
