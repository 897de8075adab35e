// Talks to the provider of the option `oidc`, by OpenID Connect: the code flow with PKCE.
import { readFileSync } from 'node:fs'
import type { ClientAuth, Configuration } from 'openid-client'
import type { OidcOptions } from '../../config/oidc-options.ts'
import { OptionsError } from '../../config/options.ts'
import { message } from '../../log/log.ts'
import type { Clock } from '../../system/clock.ts'

/** What the provider says of a person, by the names of the claims. */
export type Claims = Readonly<Record<string, unknown>>

/** What one login needs at its end. */
export interface LoginSecrets {
  state: string
  nonce: string
  verifier: string
}

type Library = typeof import('openid-client')

interface Connection {
  library: Library
  configuration: Configuration
  /** Milliseconds since 1970. */
  since: number
}

/** Of each request to the provider. */
const timeoutSeconds = 5
/** After that the addresses of the provider are asked again. */
const reuseMilliseconds = 3_600_000

export class Provider {
  readonly #options: OidcOptions
  readonly #clock: Clock
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined

  /** Throws when the secret cannot be read. The provider itself is asked at the first login. */
  constructor(options: OidcOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
    readSecret(options)
  }

  /** Where a browser is to be sent, from where it comes back to `redirect`. Rejects when the provider is away. */
  async begin(redirect: string): Promise<LoginSecrets & { url: string }> {
    const { library, configuration } = await this.#connect()
    const secrets = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    }
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirect,
      scope: [...new Set(['openid', ...this.#options.scopes])].join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    })
    return { ...secrets, url: url.href }
  }

  /** The claims of the person with whose code the browser came back. Rejects when anything is not right. */
  async finish(redirected: URL, { state, nonce, verifier }: LoginSecrets): Promise<Claims & { sub: string }> {
    const { library, configuration } = await this.#connect()
    const tokens = await library.authorizationCodeGrant(configuration, redirected, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('expected an id token, got none')
    // Some providers have groups and names only there.
    const isServed = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = isServed ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
    return { ...more, ...claims }
  }

  /** Where a browser ends its session at the provider; undefined when the provider is away or has no such page. */
  async endSessionUrl(redirect: string): Promise<string | undefined> {
    const { library, configuration } = (await this.#connect().catch(() => undefined)) ?? {}
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined
    return library?.buildEndSessionUrl(configuration, { post_logout_redirect_uri: redirect }).href
  }

  /** Who asks meanwhile waits for the same response. */
  async #connect(): Promise<Connection> {
    const now = this.#clock.now()
    if (this.#connection && now - this.#connection.since < reuseMilliseconds) return this.#connection
    this.#connecting ??= this.#discover(now).finally(() => {
      this.#connecting = undefined
    })
    this.#connection = await this.#connecting
    return this.#connection
  }

  async #discover(since: number): Promise<Connection> {
    const { issuer, client_id } = this.#options
    // Loaded here, as most daemons do not need it.
    const library = await import('openid-client')
    const { allowInsecureRequests, enableNonRepudiationChecks } = library
    const configuration = await library.discovery(new URL(issuer), client_id, undefined, this.#authenticate(library), {
      timeout: timeoutSeconds,
      // The signature of the id token is checked, too, and not only where it came from.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    })
    return { library, configuration, since }
  }

  /** By the header, unless the provider takes the secret in the body only; without a secret by PKCE alone. */
  #authenticate({ ClientSecretBasic, ClientSecretPost, None }: Library): ClientAuth {
    const secret = readSecret(this.#options)
    if (secret === undefined) return None()
    const [basic, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
    return (server, ...more) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      return (methods.includes('client_secret_basic') ? basic : inBody)(server, ...more)
    }
  }
}

function readSecret({ client_secret, client_secret_file: file }: OidcOptions): string | undefined {
  if (file === undefined) return client_secret
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (secret !== '') return secret
  } catch (error) {
    throw new OptionsError(`oidc.client_secret_file: expected a file that can be read, got ${message(error)}`)
  }
  throw new OptionsError(`oidc.client_secret_file: expected the secret of the client in ${file}, got an empty file`)
}
