// Starts a real OpenID Connect provider on a free port, and logs people in at it as a browser does.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'

export const client = { client_id: 'fleet-host', client_secret: 'the secret of fleet-host' }

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>

export type Claims = Record<string, unknown>

/** Of another provider. */
export const foreignKey = newKey()

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

type Person = Readonly<Record<string, unknown>>

/** `people` have claims by the names with which they log in; they may change. Any password is right. */
export async function startOidcProvider(people: Record<string, Person>) {
  let listener: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address instanceof Object ? address.port : 0
  const issuer = `http://127.0.0.1:${port}`
  const key = newKey()
  const cookies = new Map<string, string>()
  return {
    issuer,
    /** To these addresses it sends browsers back: they are known when the daemon has started. */
    serve(...redirects: string[]): void {
      listener = createProvider(issuer, { people, redirects, key, secret: client.client_secret }).callback()
    },
    /** As `serve`; the daemon has this secret now. */
    serveSecret(secret: string, ...redirects: string[]): void {
      listener = createProvider(issuer, { people, redirects, key, secret }).callback()
    },
    /** Id tokens have what `change` makes of their claims, signed by the key of the provider or `by`; until `serve`. */
    forge(change: (claims: Claims) => Claims, by = key): void {
      const serve = listener
      listener = (request, response) => {
        if (request.url === '/token') forgeToken(response, change, by)
        serve(request, response)
      }
    },
    /** From now on it does not answer; until `serve` is called again. */
    fail(): void {
      listener = request => request.socket.destroy()
    },
    /** Resolves to the address to which a browser is sent back that has been sent to `url`. */
    signIn: (url: string, name: string) => signIn(url, name, cookies),
    /** The sessions of the browser at the provider. */
    forget: () => cookies.clear(),
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Served {
  people: Record<string, Person>
  redirects: string[]
  key: KeyObject
  secret: string
}

function createProvider(issuer: string, { people, redirects, key, secret }: Served): Provider {
  const claims = [...new Set(Object.values(people).flatMap(Object.keys))]
  return new Provider(issuer, {
    // Of native ones, any port of the loopback addresses is right.
    clients: [
      {
        ...client,
        client_secret: secret,
        redirect_uris: redirects,
        application_type: 'native',
        post_logout_redirect_uris: redirects,
      },
    ],
    claims: { openid: ['sub'], profile: claims },
    cookies: { keys: ['a key of the tests'] },
    // `as`: a private key of RSA, whose parts are optional in the types of Node.
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    pkce: { required: () => true },
    findAccount: (_, name) => ({ accountId: name, claims: async () => ({ sub: name, ...people[name] }) }),
  })
}

function forgeToken(response: ServerResponse, change: (claims: Claims) => Claims, by: KeyObject): void {
  const end = response.end.bind(response)
  const forged = (content: string) => {
    const body = JSON.parse(content)
    const [header = '', claims = ''] = String(body.id_token).split('.')
    const changed = change(JSON.parse(Buffer.from(claims, 'base64url').toString()))
    const signed = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`
    const signature = sign('sha256', Buffer.from(signed), by).toString('base64url')
    return JSON.stringify({ ...body, id_token: `${signed}.${signature}` })
  }
  Object.assign(response, {
    end(content: string) {
      const text = forged(content)
      response.setHeader('Content-Length', Buffer.byteLength(text))
      return end(text)
    },
  })
}

async function signIn(start: string, name: string, cookies: Map<string, string>): Promise<string> {
  const { origin } = new URL(start)
  let url = new URL(start)
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 20; steps += 1) {
    const Cookie = Array.from(cookies, ([key, value]) => `${key}=${value}`).join('; ')
    const body = form && { method: 'POST', body: form }
    const response = await fetch(url, { redirect: 'manual', headers: { Cookie }, ...body })
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(key, value)
    }
    const location = response.headers.get('Location')
    const page = await response.text()
    if (location === null) {
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
      if (prompt === undefined) throw new Error(`expected a form of the provider, got ${response.status} ${page}`)
      form = new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt })
      continue
    }
    form = undefined
    url = new URL(location, url)
    if (url.origin !== origin) return url.href
  }
  throw new Error(`expected to be sent back, got ${url}`)
}
