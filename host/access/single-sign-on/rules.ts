// Finds the rule of the option `oidc` that the claims of a person match.
import type { OidcRule } from '../../config/oidc-options.ts'
import type { Claims } from './provider.ts'

/** The index of the first rule that matches; -1 when none does. */
export const findRule = (rules: readonly OidcRule[], claims: Claims): number =>
  rules.findIndex(rule =>
    Object.entries(rule.claims).every(([name, value]) => hasValue(claimNamed(claims, name), value)),
  )

/** A list has each of its elements. */
const hasValue = (claim: unknown, value: string): boolean =>
  Array.isArray(claim) ? claim.some(each => hasValue(each, value)) : isPlain(claim) && String(claim) === value

const isPlain = (claim: unknown) => ['string', 'number', 'boolean'].includes(typeof claim)

/** `realm_access.roles` is a claim of that name, or else the key `roles` of the claim `realm_access`. */
export function claimNamed(claims: unknown, name: string): unknown {
  if (!(claims instanceof Object)) return undefined
  if (Object.hasOwn(claims, name)) return Reflect.get(claims, name)
  const dot = name.indexOf('.')
  const first = name.slice(0, dot)
  return dot > 0 && Object.hasOwn(claims, first)
    ? claimNamed(Reflect.get(claims, first), name.slice(dot + 1))
    : undefined
}
