// Why rules and targets are refused.
import { isSecret, newSecret } from './_bodies.ts'
import { isMailAddress } from './_mail.ts'
import type { Context, Rule, Target } from './_schemas.ts'

type Stores = Pick<Context, 'collections' | 'services'>

export async function ruleProblem({ rooms, groups = [], targets }: Rule, { collections, services }: Stores) {
  for (const target of targets)
    if (!(await collections.targets.get(target))) return `targets: there is no target ${target}`
  for (const room of rooms) if (!(await services.store.rooms.find(room))) return `rooms: there is no room ${room}`
  const known = new Set((await services.store.groups.list()).map(({ id }) => id))
  for (const group of groups) if (!known.has(group)) return `groups: there is no group ${group}`
  return undefined
}

/** With what follows from the rest: what may be shown of the address, and a secret for a new webhook. */
export function completeTarget(target: Target): Target {
  const { kind, address: url = '', secret = '' } = target
  const host = kind !== 'mail' && URL.canParse(url) ? { host: new URL(url).host } : {}
  return { ...target, ...host, ...(kind === 'webhook' && secret === '' && { secret: newSecret() }) }
}

export function targetProblem({
  kind,
  address: url = '',
  secret = '',
  to = [],
  room = '',
}: Target): string | undefined {
  if (kind === 'mail') {
    if (to.length === 0) return 'to: expected at least one mail address'
    const wrong = to.find(address => !isMailAddress(address))
    return wrong === undefined ? undefined : `to: expected mail addresses, got ${wrong}`
  }
  const { protocol, username, pathname } = URL.canParse(url)
    ? new URL(url)
    : { protocol: '', username: '', pathname: '' }
  if (!['http:', 'https:'].includes(protocol) || username !== '') return 'address: expected https://… without a user'
  if (kind === 'webhook' && !isSecret(secret)) return 'secret: expected whsec_ and a key in base64'
  if (kind === 'ntfy' && pathname.endsWith('/')) return 'address: expected the topic at its end'
  if (kind === 'matrix' && (room === '' || secret === '')) return 'room, secret: expected both for matrix'
  return undefined
}
