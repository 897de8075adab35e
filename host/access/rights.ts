// What a caller may do: its role, and the rooms that it is limited to.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { refuse } from '../contract/refusal.ts'
import type { Access, Refusal, Rights } from '../contract/services.ts'
import { unlimited } from './account-scopes.ts'

const roles: readonly Access[] = ['none', 'read', 'operate', 'admin']

const never = () => false

/** The rights of the token of the options. */
export const adminRights: Rights = {
  name: 'admin',
  reference: 'admin',
  role: 'admin',
  ...unlimited,
}

/** The rights of a caller without a token, who may only use commands that need none. */
export const noRights: Rights = {
  name: 'nobody',
  reference: '',
  role: 'none',
  isLimited: true,
  hasClient: never,
  hasRoom: never,
  reachesRoom: never,
  hasCenter: never,
  reachesCenter: never,
}

/** Who asks for a job, for its record. A caller who needs no rights, for a site's open command, has no account. */
export const askedBy = ({ name, reference }: Rights): { by: string; account?: string } =>
  reference === '' ? { by: name } : { by: name, account: reference }

export const includesRole = (role: Access, needed: Access): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** A refusal with 403 when the rights do not include the command, whatever its payload is. */
export function checkCommand(
  { role, isLimited }: Rights,
  { access, clientKeys, command }: LoadedCommand,
): Refusal | undefined {
  if (access === 'none') return undefined
  if (!includesRole(role, access)) return refuse(`expected the role ${access}, got ${role}`, 403)
  if (!isLimited || clientKeys.length > 0 || command.scoped) return undefined
  return refuse('expected rights for all rooms, got rights for some', 403)
}

/**
 * A refusal with 403 when some of the computers are outside the limits. It names none: the caller must not learn which
 * addresses exist.
 */
export function checkClients({ isLimited, hasClient }: Rights, addrs: readonly string[]): Refusal | undefined {
  if (!isLimited) return undefined
  const count = addrs.filter(addr => !hasClient(addr)).length
  return count === 0 ? undefined : refuse(`${count} of ${addrs.length} clients are outside the rooms of the token`, 403)
}

/** As `checkClients`, for the payload of a request: one that lists no clients may concern all. */
export function checkRequest(
  rights: Rights,
  { access, clientKeys, command }: LoadedCommand,
  payload: unknown,
): Refusal | undefined {
  if (!rights.isLimited || access === 'none') return undefined
  const addrs = addressesAt(clientKeys, payload)
  if (command.scoped || addrs.length > 0) return checkClients(rights, addrs)
  return refuse('expected clients in the rooms of the token, got none', 403)
}

/** The addresses in the lists or texts that a payload, which no schema has checked yet, has at these keys. */
export function addressesAt(keys: readonly string[], payload: unknown): string[] {
  const addrs: string[] = []
  for (const key of keys) {
    const value: unknown = payload instanceof Object ? Reflect.get(payload, key) : undefined
    // Without `flat`, which takes ten times as long for thousands of addresses.
    for (const addr of Array.isArray(value) ? value : [value]) if (typeof addr === 'string') addrs.push(addr)
  }
  return addrs
}
