// Starts a host whose people log in by a real provider, with what tests of that do.
import { is } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { client, type OidcProvider, startOidcProvider } from './oidc-provider.ts'
import { startTestHost, type TestHost } from './test-host.ts'

export const nobody = { Authorization: '' }

export const cookiesOf = (headers: Record<string, string | string[] | undefined>) =>
  [headers['set-cookie'] ?? []].flat().map(text => text.replace(/;.*/, ''))

export const rules = [
  { claims: { 'realm_access.roles': 'lab-admin' }, role: 'admin' },
  { claims: { groups: '/teachers' }, role: 'operate', rooms: [1] },
]

export const oidcOf = ({ issuer }: OidcProvider) => ({ issuer, ...client, label: 'University account', rules })

export const consoleOf = ({ host }: TestHost) => `http://127.0.0.1:${host.ports.rest}/console`

/** `people` have claims by the names with which they log in; they may change. */
export async function startSsoLab(people: Record<string, Record<string, unknown>>) {
  const provider = await startOidcProvider(people)
  const clock = createManualClock()
  const lab = await startTestHost({
    clock,
    options: { rest: { port: 0, proxies: ['127.0.0.1'] }, oidc: oidcOf(provider) },
  })
  const redirect = consoleOf(lab)
  provider.serve(redirect)
  await lab.addComputer('127.0.0.2')
  return { provider, clock, lab, redirect, ...loginCalls({ provider, lab, redirect }) }
}

/** `lab` is served at `redirect`. */
export function loginCalls({ provider, lab, redirect }: { provider: OidcProvider; lab: TestHost; redirect: string }) {
  let callers = 0
  const from = (addr: string) => ({ ...nobody, 'X-Forwarded-For': addr })
  const start = (address = redirect, addr = '10.9.9.9') =>
    lab.call('POST /login/start', { redirect: address }, from(addr))
  /** From another address each time, as failures count for theirs. */
  function finish(redirected: string, Cookie: string, addr?: string) {
    callers += 1
    const headers = { ...from(addr ?? `10.9.9.${callers}`), Cookie }
    return lab.call('POST /login', { redirected }, headers)
  }
  /** The address that the provider has sent the browser to, and the cookie of the login. */
  async function comeBack(name: string) {
    const { status, json, headers } = await start()
    is(status, 200, lab.log.at(-1))
    const [cookie = ''] = cookiesOf(headers)
    provider.forget()
    return { redirected: await provider.signIn(json.url, name), cookie }
  }
  return {
    start,
    finish,
    comeBack,
    async logIn(name: string) {
      const { redirected, cookie } = await comeBack(name)
      return finish(redirected, cookie)
    },
    lastReason: async () => (await lab.call('GET /login/claims')).json.logins[0].reason,
    async stop() {
      await lab.stop()
      await provider.stop()
    },
  }
}
