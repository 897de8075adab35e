// Starts a real OpenID Connect provider on a free port, and logs people in at it as a browser does.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import Provider from 'oidc-provider'

export const client = { client_id: 'fleet-host', client_secret: 'the secret of fleet-host' }

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>

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
  const cookies = new Map<string, string>()
  return {
    issuer,
    /** To these addresses it sends browsers back: they are known when the daemon has started. */
    serve(...redirects: string[]): void {
      listener = createProvider(issuer, people, redirects).callback()
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

function createProvider(issuer: string, people: Record<string, Person>, redirects: string[]): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const claims = [...new Set(Object.values(people).flatMap(Object.keys))]
  return new Provider(issuer, {
    // Of native ones, any port of the loopback addresses is right.
    clients: [
      { ...client, redirect_uris: redirects, application_type: 'native', post_logout_redirect_uris: redirects },
    ],
    claims: { openid: ['sub'], profile: claims },
    cookies: { keys: ['a key of the tests'] },
    // `as`: a private key of RSA, whose parts are optional in the types of Node.
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    pkce: { required: () => true },
    findAccount: (_, name) => ({ accountId: name, claims: async () => ({ sub: name, ...people[name] }) }),
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
