// A line between a browser and a daemon that can go silent: it forwards nothing then, and closes nothing.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentLine {
  port: number
  silence(): void
  /** What was sent meanwhile arrives now. */
  resume(): void
  stop(): Promise<void>
}

export async function startSilentLine(port: number): Promise<SilentLine> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', bytes => to.write(bytes))
    from.on('end', () => to.end())
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (isSilent) from.pause()
  }
  const server = createServer({ allowHalfOpen: true }, near => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    forward(near, far)
    forward(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // `as`: it listens to a port.
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
