// Heavy requests: two of a caller are computed at a time, some wait, the rest is 429. Other callers are not kept waiting.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { isRefusal } from '../../host/contract/refusal.ts'
import { HeavyRequests } from '../../host/http/heavy-requests.ts'
import { RequestRotation } from '../../host/http/request-rotation.ts'
import { pollUntil } from '../harness/poll.ts'
import { bytesOf } from '../harness/raw-http.ts'
import { startSite } from '../harness/site-folder.ts'
import { openSocket } from '../harness/transport.ts'

const site = await startSite()
const { lab } = site
await site.save(
  'slow.ts',
  `export default {
  summary: 'x', route: 'GET /slow', heavy: true, scoped: true,
  answer: ({ request }) => new Promise(resolve => {
    const end = () => resolve({ done: true })
    process.emit('slow-request', { name: request.rights.name, end })
  }),
}
`,
)
/** Those that run, each with the function that ends it. */
const running: { name: string; end(): void }[] = []
const begin = (request: (typeof running)[number]) => void running.push(request)
process.on('slow-request', begin)

const test = suite('heavy requests')
test.after(async () => {
  process.off('slow-request', begin)
  await site.stop()
})

const secretOf = async (name: string): Promise<string> =>
  (await lab.call('POST /token/add', { name, role: 'read' })).json.token

const slow = (headers?: Record<string, string>) => lab.call('GET /slow', undefined, headers)
const namesOf = () => running.map(({ name }) => name).sort()

test('of 30 heavy requests of one caller two run, 20 wait, and 8 are 429 with a reason; others are served meanwhile', async () => {
  const responses = Array.from({ length: 30 }, () => slow())
  const refused: Awaited<ReturnType<typeof slow>>[] = []
  for (const response of responses) void response.then(each => each.status === 429 && refused.push(each))
  await pollUntil(() => refused.length === 8)
  equal(namesOf(), ['admin', 'admin'])
  match(
    String(refused[0]?.headers['x-reason']),
    /^heavy requests: expected at most 2 at a time and 20 waiting, got more/,
  )
  is(refused[0]?.headers['retry-after'], '1')
  is((await lab.call('GET /scopes')).status, 200)

  const others = [slow({ Authorization: await secretOf('lab') }), slow({ Authorization: await secretOf('hall') })]
  await pollUntil(() => running.length === 4)
  equal(namesOf(), ['admin', 'admin', 'token hall', 'token lab'])
  const all = Promise.all([...responses, ...others])
  let hasEnded = false
  void all.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    await pollUntil(() => running.length > 0 || hasEnded)
    ok(running.length <= 4, `${running.length} run`)
    running.shift()?.end()
  }
  is((await all).filter(({ status }) => status === 200).length, 24)
})

const open = new AbortController().signal

test('a waiting request whose caller has closed the connection takes no place', async () => {
  const requests = new HeavyRequests()
  await Promise.all([requests.enter('a', open), requests.enter('a', open)])
  const closed = Array.from({ length: 20 }, () => new AbortController())
  const waiting = closed.map(({ signal }) => requests.enter('a', signal))
  is(isRefusal(await requests.enter('a', open)), true)
  for (const each of closed) each.abort()
  is((await Promise.all(waiting)).every(isRefusal), true)
  const next = requests.enter('a', open)
  requests.leave('a')
  is(await next, undefined)
  requests.leave('a')
  requests.leave('a')
})

test('the end of an earlier connection leaves the requests of its caller counted', async () => {
  const requests = new HeavyRequests()
  const connection = new AbortController()
  await Promise.all([requests.enter('a', open), requests.enter('a', open)])
  const waiting = requests.enter('a', connection.signal)
  for (let count = 0; count < 3; count += 1) requests.leave('a')
  await waiting
  await Promise.all([requests.enter('a', open), requests.enter('a', open)])
  connection.abort()
  let hasBegun = false
  const next = requests.enter('a', open).then(() => {
    hasBegun = true
  })
  await new Promise(setImmediate)
  is(hasBegun, false)
  requests.leave('a')
  await next
})

test('when four run, the next one is of the caller that has waited longest for its turn', async () => {
  const requests = new HeavyRequests()
  for (const name of ['a', 'a', 'b', 'b']) await requests.enter(name, open)
  const order: string[] = []
  const waiting = ['a', 'a', 'b', 'c', 'c', 'd'].map(async name => {
    await requests.enter(name, open)
    order.push(name)
  })
  for (const name of ['a', 'b', 'a', 'b', 'c', 'd']) {
    requests.leave(name)
    await new Promise(setImmediate)
  }
  await Promise.all(waiting)
  equal(order, ['a', 'b', 'c', 'd', 'a', 'c'])
})

test('a request whose connection has closed before its turn takes no place', async () => {
  const requests = new HeavyRequests()
  for (let count = 0; count < 2; count += 1) await requests.enter('a', open)
  const results = Array.from({ length: 21 }, () => requests.enter('a', AbortSignal.abort()))
  ok(isRefusal(await results[0]))
  const next = requests.enter('a', open)
  requests.leave('a')
  is(await next, undefined)
})

test('while one caller sends many requests at once, those of others are served between them', async () => {
  await site.save(
    'busy.ts',
    `export default {
  summary: 'x', route: 'GET /busy',
  answer() { for (const end = performance.now() + 10; performance.now() < end;); return {} },
}
`,
  )
  const other = await openConnection()
  const many = await Promise.all(Array.from({ length: 100 }, openConnection))
  let served = 0
  const all = many.map(async socket => {
    socket.write(bytesOf('GET /busy'))
    await once(socket, 'data')
    served += 1
    socket.destroy()
  })
  await pollUntil(() => served > 0)
  other.write(bytesOf('GET /healthz', { headers: { Authorization: undefined } }))
  await once(other, 'data')
  const before = served
  await Promise.all(all)
  is(served, 100)
  ok(before < 50, `${before} were served before`)
  other.destroy()
})

const openConnection = () =>
  new Promise<Socket>(resolve => {
    const socket = openSocket(lab.host.ports.rest, () => resolve(socket))
  })

test('the requests of a tick begin at once for some milliseconds, later ones in turn by caller', async () => {
  const rotation = new RequestRotation()
  is(rotation.enter('a'), undefined)
  for (const end = performance.now() + 25; performance.now() < end; );
  const order: string[] = []
  const waiting = ['a', 'a', 'a', 'b', 'c'].map(async name => {
    await rotation.enter(name)
    order.push(name)
  })
  equal(order, [])
  await Promise.all(waiting)
  equal(order, ['a', 'b', 'c', 'a', 'a'])
  is(rotation.enter('a'), undefined)
})

test('requests begin also while other work takes the whole time of each tick', async () => {
  const rotation = new RequestRotation()
  let ticks = 0
  const work = () => {
    for (const end = performance.now() + 25; performance.now() < end; );
    ticks += 1
    if (ticks < 60) setImmediate(work)
  }
  work()
  rotation.enter('a')
  work()
  await Promise.all(['a', 'b', 'c'].map(name => rotation.enter(name)))
  ok(ticks < 60, 'the requests have waited for the end of the work')
})

test.run()
