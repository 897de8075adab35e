// `fleet login --sso`, with a browser that logs in at a real provider, and `fleet user claims`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { runFleet } from '../../host/cli/program.ts'
import { openShell, openShellOf } from '../harness/cli-shell.ts'
import { oidcOf, startSsoLab } from '../harness/sso-lab.ts'
import { startTestHost } from '../harness/test-host.ts'

export const runs = { hosts: false }

const people: Record<string, Record<string, unknown>> = {
  anna: { preferred_username: 'anna', groups: ['/teachers'] },
  carla: { preferred_username: 'carla', groups: ['/students'] },
}
const { provider, lab, redirect, stop } = await startSsoLab(people)
provider.serve(redirect, 'http://localhost/')
const FLEET_URL = new URL(redirect).origin
const admin = openShellOf(lab)
const shell = openShell({ FLEET_URL })

const test = suite('fleet login --sso')
test.after(async () => {
  shell.remove()
  admin.remove()
  await stop()
})

/** `visit` gets the address that `fleet` prints. */
async function login(visit: (url: string) => Promise<unknown>, url = FLEET_URL) {
  let [out, error] = ['', '']
  let visited: Promise<unknown> | undefined
  const environment = { HOME: shell.folder, XDG_CONFIG_HOME: join(shell.folder, 'config'), FLEET_URL: url }
  const write = (text: string) => {
    out += text
    const [address] = /^http\S+\/auth\?\S+/m.exec(text) ?? []
    if (address !== undefined) visited = visit(address)
  }
  const code = await runFleet(['login', '--sso'], {
    environment,
    out: { write },
    error: {
      write(text: string) {
        error += text
      },
    },
  })
  return { code, out, error, page: await visited }
}

/** What a browser shows in the end. */
async function signIn(url: string, name: string) {
  provider.forget()
  return (await fetch(await provider.signIn(url, name))).text()
}

test('the browser logs in at the provider, and later calls have the session', async () => {
  const { code, out, page } = await login(async url => {
    const back = new URL(url).searchParams.get('redirect_uri') ?? ''
    // Other pages of the browser end nothing.
    for (const path of ['favicon.ico', '?code=x&state=other', 'console?state=x'])
      is((await fetch(back + path)).status, 404)
    return signIn(url, 'anna')
  })
  equal([code, page], [0, 'Go on in the terminal. This page can be closed.\n'], lab.log.at(-1))
  match(out, /\nlogged in at http:\S+ as user anna, role operate\n$/)
  match((await shell.fleet('me')).out, /^user anna, role operate, /)
  match(readFileSync(join(shell.folder, 'config/fleet/session.json'), 'utf8'), /fleet_session=/)
  is((await shell.fleet('logout')).code, 0)
})

test('who is not let in reads why, and administrators see the claims', async () => {
  const refused = await login(url => signIn(url, 'carla'))
  equal([refused.code, refused.error], [1, 'fleet: no rule of oidc.rules is for the claims of this person\n'])
  const cancelled = await login(url => {
    const { searchParams } = new URL(url)
    return fetch(`${searchParams.get('redirect_uri')}?error=access_denied&state=${searchParams.get('state')}`)
  })
  match(cancelled.error, /^fleet: login: the provider did not log you in; .* \(401\)\n$/)
  const [first = '', second = '', ...claims] = (await admin.fleet('user', 'claims')).out.split('\n')
  match(first, / {2}the login at the provider failed: .+/)
  match(second, / {2}no rule of oidc.rules is for the claims of this person$/)
  equal(
    claims
      .slice(0, 4)
      .filter(line => /groups|username/.test(line))
      .sort(),
    ['  groups: ["/students"]', '  preferred_username: "carla"'],
  )
})

test('a provider that is away, or none, is said in a sentence', async () => {
  const other = await startTestHost()
  const origin = `http://127.0.0.1:${other.host.ports.rest}`
  const visit = () => Promise.reject(new Error('expected no address'))
  match((await login(visit, origin)).error, /^fleet: login: the daemon has no provider: /)
  is(
    (await openShellOf(other).fleet('user', 'claims')).out,
    'nobody has logged in by a provider since the daemon started\n',
  )
  await other.stop()
  provider.fail()
  const cold = await startTestHost({ options: { oidc: oidcOf(provider) } })
  match(
    (await login(visit, `http://127.0.0.1:${cold.host.ports.rest}`)).error,
    /^fleet: login: the provider cannot be asked; /,
  )
  await cold.stop()
  provider.serve(redirect)
})

test('--sso and --user exclude each other', async () => {
  equal(await shell.fleet('login', '--sso', '--user', 'anna'), {
    code: 2,
    out: '',
    error: 'fleet: --sso: expected no --user with it, got both\n',
  })
})

test.run()
