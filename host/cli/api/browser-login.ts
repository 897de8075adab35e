// Logs in at the provider of the daemon, in a browser on this computer, which comes back to a port of this program.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { CliError } from '../cli-error.ts'
import { createApiClient } from './client.ts'
import type { Settings } from './settings.ts'

const returned = 'Go on in the terminal. This page can be closed.\n'

/** `show` gets the address that the browser is to open. Resolves to the response of `POST /login`. */
export async function loginInBrowser(settings: Settings, show: (url: string) => void) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  // Of the loopback names it is the one that products let have any port.
  const redirect = `http://localhost:${address instanceof Object ? address.port : 0}/`
  try {
    const { body, cookie } = await call({ ...settings, cookie: undefined }, 'POST /login/start', { redirect })
    show(body.url)
    const redirected = await comesBack(server, redirect, new URL(body.url).searchParams.get('state'))
    return await call({ ...settings, cookie }, 'POST /login', { redirected })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Without a token: a session is for who has none. */
function call<const Route extends string>(settings: Settings, route: Route, payload: object) {
  const client = createApiClient({ ...settings, token: '' })
  return client
    .call(route, payload)
    .catch(error => {
      const problem = error instanceof CliError && error.status !== undefined ? problems[error.status] : undefined
      throw problem === undefined ? error : new CliError(`login: ${problem} (${error.status})`)
    })
    .finally(() => client.close())
}

const problems: Readonly<Record<number, string>> = {
  400: 'the daemon has no provider: its option oidc names none',
  401: 'the provider did not log you in; fleet user claims shows administrators why',
  429: 'too many logins from this address; try again in a minute',
  500: 'the provider cannot be asked; the log of the daemon says why',
}

/** Resolves to the address with the `state` of this login: any page of the browser can send requests here. */
const comesBack = (server: Server, redirect: string, state: string | null) =>
  new Promise<string>(resolve => {
    server.on('request', (request, response) => {
      const path = request.url ?? ''
      const url = URL.canParse(path, redirect) ? new URL(path, redirect) : undefined
      const isBack = url?.href.startsWith(`${redirect}?`) && url.searchParams.get('state') === state
      response.writeHead(isBack ? 200 : 404, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
      response.end(isBack ? returned : '', () => isBack && resolve(url?.href ?? ''))
    })
  })
