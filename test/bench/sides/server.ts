// The bare server: the smallest node:http program that reads the body and returns the same bytes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { serve } from './child.ts'

let body: Buffer = Buffer.alloc(0)

const server = createServer((req, res) => {
  req.resume()
  req.on('end', () => {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    res.end(body)
  })
})

export type Server = typeof calls
const calls = serve({
  async listen(): Promise<number> {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return address instanceof Object ? address.port : 0
  },
  say(text: string) {
    body = Buffer.from(text)
  },
})
