// Callers send mutated requests to every route of the API, with the right token and without it.
import { token } from '../../harness/rest-call.ts'
import { type Attack, strangerAt, type Target } from './attack.ts'
import { fuzz } from './fuzz.ts'
import { below } from './mutate.ts'

/** A mutation may put the right token into a request: these would delete the observer's computers, or refuse its commands. */
const disturbsObserver = (path: string) => /^\/((center|room|repository)\/delete|drain)/.test(path)

interface Operation {
  requestBody?: { content?: Record<string, { example?: unknown }> }
}

export default {
  name: 'fuzz-requests',
  summary: 'mutated requests of callers to all routes',
  seconds: 15,
  cheap: true,
  bounds: { log: 64_000_000, data: 64_000_000 },
  async run(target) {
    const corpus = await createCorpus(target)
    return fuzz(target, {
      corpus,
      perConnection: 4,
      lingerTime: 30,
      connect: random => target.caller(strangerAt(below(random, 5_000))),
    })
  },
} satisfies Attack

/** A valid request for almost each operation that the daemon describes, with a right and a wrong token, and other forms. */
async function createCorpus({ call }: Target): Promise<Buffer[]> {
  const { json } = await call('GET /openapi.json')
  const paths: Record<string, Record<string, Operation>> = json.paths
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const example = operation.requestBody?.content?.['application/json']?.example
      const body = example === undefined ? '' : JSON.stringify(example)
      const target = path.replace(/\{\w+\}/, '1')
      if (disturbsObserver(path)) return []
      return [token, 'wrong'].map(value => requestText(method.toUpperCase(), target, body, value))
    }),
  )
  const address = '{"client":["127.60.0.1"]}'
  return [
    ...requests,
    requestText('GET', '/client/info', address, token),
    requestText('GET', '/client/setup', address, token),
    requestText('GET', '/events?type=job', '', token),
    requestText('PUT', '/clients', '', token),
    `POST /clients HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`,
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ].map(text => Buffer.from(text))
}

function requestText(method: string, path: string, body: string, value: string): string {
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${value}\r\n${length}\r\n${body}`
}
