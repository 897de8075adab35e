// Baselines of reads: the smallest servers that read the request body and return the same bytes.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import Koa from 'koa'
import { serveParent } from './child-process.ts'

/** `busy` is the baseline with 50 µs of other work for each request. */
export type ServerKind = 'baseline' | 'busy' | 'koa'

const busyTime = 0.05 // ms
let body: Buffer = Buffer.alloc(0)

const baseline =
  (milliseconds: number): RequestListener =>
  (req, res) => {
    req.resume()
    req.on('end', () => {
      for (const end = performance.now() + milliseconds; performance.now() < end; );
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
      res.end(body)
    })
  }

function koa(): RequestListener {
  const app = new Koa()
  app.use(async ctx => {
    ctx.req.resume()
    await once(ctx.req, 'end')
    ctx.set('Content-Type', 'application/json')
    ctx.body = body
  })
  const listener = app.callback()
  return (req, res) => void listener(req, res)
}

export type BaselineServer = typeof calls
const calls = serveParent({
  async listen(kind: ServerKind): Promise<number> {
    const server = createServer(kind === 'koa' ? koa() : baseline(kind === 'busy' ? busyTime : 0))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return address instanceof Object ? address.port : 0
  },
  setBody(text: string) {
    body = Buffer.from(text)
  },
})
