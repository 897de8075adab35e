// Baselines of reads: the smallest servers that read the request body and return the same bytes.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { serveParent } from './child-process.ts'

/** `busy` is the baseline with 50 µs of other work for each request, `router` is Koa with a router. */
export type ServerKind = 'baseline' | 'busy' | 'koa' | 'router'

const busyTime = 0.05 // ms
let body: Buffer = Buffer.alloc(0)
let routes: readonly string[] = []

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

async function respond(ctx: Context): Promise<void> {
  ctx.req.resume()
  await once(ctx.req, 'end')
  ctx.set('Content-Type', 'application/json')
  ctx.body = body
}

function koa(middleware: Middleware): RequestListener {
  const listener = new Koa().use(middleware).callback()
  return (req, res) => void listener(req, res)
}

/** A plain match: each path is a route. */
function createRouter(): Middleware {
  const router = new Router()
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    router.register(path, [method], respond)
  }
  // `as`: its type asks for a context with `params` and `router`, which it adds by itself.
  return router.routes() as Middleware
}

function listenerOf(kind: ServerKind): RequestListener {
  if (kind === 'koa') return koa(respond)
  if (kind === 'router') return koa(createRouter())
  return baseline(kind === 'busy' ? busyTime : 0)
}

export type BaselineServer = typeof calls
const calls = serveParent({
  async listen(kind: ServerKind): Promise<number> {
    const server = createServer(listenerOf(kind))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return address instanceof Object ? address.port : 0
  },
  /** Of the kind `router`, such as `GET /clients`; before `listen`. */
  setRoutes(list: string[]) {
    routes = list
  },
  setBody(text: string) {
    body = Buffer.from(text)
  },
})
