// Id tokens that are expired, of another login, or of somebody else, and the file with the secret of the client.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, match, throws } from 'uvu/assert'
import { Provider } from '../../host/access/single-sign-on/provider.ts'
import { reasonOf } from '../../host/access/single-sign-on/single-sign-on.ts'
import type { OidcOptions } from '../../host/config/oidc-options.ts'
import { systemClock } from '../../host/system/clock.ts'
import { type Claims, client, foreignKey } from '../harness/oidc-provider.ts'
import { oidcOf, startSsoLab } from '../harness/sso-lab.ts'

export const runs = { hosts: false }

const people = { anna: { preferred_username: 'anna', groups: ['/teachers'] } }
const { provider, clock, lab, redirect, logIn, lastReason, stop } = await startSsoLab(people)

const test = suite('forged tokens')
test.after(stop)

const now = () => Math.floor(Date.now() / 1000)
let earlier: Claims = {}

const refused: Record<string, (claims: Claims) => Claims> = {
  'expired a minute ago': claims => ({ ...claims, exp: now() - 60 }),
  'not valid yet': claims => ({ ...claims, nbf: now() + 60 }),
  'of an earlier login': () => earlier,
  'with the nonce of another login': claims => ({ ...claims, nonce: 'another' }),
  'without a nonce': ({ nonce: _, ...claims }) => claims,
  'of another issuer': claims => ({ ...claims, iss: 'https://other.example.org' }),
  'for another audience': claims => ({ ...claims, aud: 'other' }),
  'for several audiences, and authorized for another one': claims => ({
    ...claims,
    aud: ['fleet-host', 'other'],
    azp: 'other',
  }),
  'of another person than userinfo': claims => ({ ...claims, sub: 'berta' }),
}

test('a token as the provider sends it logs in', async () => {
  provider.forge(claims => {
    earlier = claims
    return claims
  })
  is((await logIn('anna')).status, 200, lab.log.at(-1))
})

for (const [what, change] of Object.entries(refused)) {
  test(`a token ${what} logs nobody in, with the reason for administrators`, async () => {
    provider.serve(redirect)
    provider.forge(change)
    is((await logIn('anna')).status, 401)
    match(await lastReason(), /^the login at the provider failed: /)
  })
}

test('a token that another key has signed logs nobody in', async () => {
  provider.serve(redirect)
  provider.forge(claims => claims, foreignKey)
  is((await logIn('anna')).status, 401)
  match(await lastReason(), /signature/)
})

test('the clocks of the provider and the daemon may differ by some seconds', async () => {
  provider.serve(redirect)
  provider.forge(claims => ({ ...claims, exp: now() - 10, nbf: now() + 10, iat: now() + 10 }))
  is((await logIn('anna')).status, 200, lab.log.at(-1))
})

const file = join(lab.folder, 'oidc-secret')
const withFile = (path: string): OidcOptions => {
  const { issuer, label } = oidcOf(provider)
  const { client_id } = client
  return {
    issuer,
    client_id,
    client_secret: undefined,
    client_secret_file: path,
    scopes: [],
    label,
    user: '',
    rules: [],
  }
}

test('a secret that cannot be read, or is empty, is an error of the start', () => {
  const start = (path: string) => () => new Provider(withFile(path), systemClock)
  throws(start(`${file}-missing`), /^oidc.client_secret_file: expected a file that can be read, got ENOENT/)
  throws(start(lab.folder), /^oidc.client_secret_file: expected a file that can be read, got EISDIR/)
  writeFileSync(file, ' \n')
  throws(start(file), /^oidc.client_secret_file: expected the secret of the client in \S+, got an empty file$/)
})

test('a new secret in the file counts after an hour', async () => {
  writeFileSync(file, `${client.client_secret}\n`)
  const reader = new Provider(withFile(file), clock)
  const finish = async () => {
    const { url, ...secrets } = await reader.begin(redirect)
    provider.forget()
    return reader.finish(new URL(await provider.signIn(url, 'anna')), secrets)
  }
  provider.serve(redirect)
  is((await finish()).sub, 'anna')
  provider.serveSecret('another secret', redirect)
  writeFileSync(file, 'another secret')
  match(await finish().then(() => '', reasonOf), /: invalid_client: client authentication failed$/)
  await clock.advance(3_600_000)
  is((await finish()).sub, 'anna')
})

test.run()
