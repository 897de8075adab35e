// The option `oidc`: the provider at which people log in, and what their claims give them.
import { list, option, path, section, text, typed, type ValueOf } from './option-kinds.ts'

/** What a person gets whose claims have all these values; without claims everybody whom the provider knows. */
export interface OidcRule {
  claims: Readonly<Record<string, string>>
  role: 'read' | 'operate' | 'admin'
  centers: number[]
  rooms: number[]
  groups: number[]
}

const ids = { type: 'array', items: { type: 'integer', minimum: 1 }, default: [] }

const rule = {
  type: 'object',
  additionalProperties: false,
  required: ['role'],
  properties: {
    claims: { type: 'object', additionalProperties: { type: 'string', minLength: 1 }, default: {} },
    role: { enum: ['read', 'operate', 'admin'] },
    centers: ids,
    rooms: ids,
    groups: ids,
  },
}

const required = ['issuer', 'client_id', 'rules']

const provider = section({
  issuer: typed<string>({ type: 'string', format: 'issuer', expected: 'an https:// address as the provider names it' }),
  client_id: typed<string>({ type: 'string', minLength: 1 }),
  client_secret: option<string>({
    type: 'string',
    pattern: '^[ -~]+$',
    writeOnly: true,
    expected: 'printable ASCII',
  })(),
  client_secret_file: path(),
  scopes: list({ type: 'string', pattern: '^[!-~]+$', expected: 'a name without spaces' })(['openid', 'profile']),
  /** Of the button on the page of the login. */
  label: option<string>({ type: 'string', pattern: '^[^\\p{C}]{1,64}$', expected: '1 to 64 characters' })('OpenID'),
  /** The claim with the name that the account gets. */
  user: text('preferred_username'),
  rules: typed<OidcRule[]>({ type: 'array', minItems: 1, items: rule }),
})

export type OidcOptions = ValueOf<typeof provider>

export const oidc = typed<OidcOptions | undefined>({ ...provider, required, default: undefined })

/** Over a network only with TLS: whoever could change the provider's responses could log in as anybody. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && /^(127\.[\d.]+|\[::1\]|localhost)$/.test(hostname))
}
