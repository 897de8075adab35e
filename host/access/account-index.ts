// Finds what a reference of rights stands for: the API token, a named token, a user or a pack.
import { hash } from 'node:crypto'
import type { User } from '../../stores/store.ts'
import type { CallerEntry, Rights } from '../contract/services.ts'
import { version } from '../system/version.ts'
import type { Entry } from './accounts.ts'
import { adminRights } from './rights.ts'
import type { Tokens } from './tokens.ts'
import { isOfProvider, type Users } from './users.ts'

export interface AccountIndexDeps {
  tokens: Tokens
  users: Users
  /** The token of the options; it may change. */
  apiToken: { readonly value: string }
  /** The rights of a pack that is in service; undefined for all other references. */
  resolvePack(reference: string): Rights | undefined
}

/** References as `Rights.reference` has them: `admin`, `token:7`, `user:3`, `pack:notify`. */
export class AccountIndex {
  readonly #deps: AccountIndexDeps

  constructor(deps: AccountIndexDeps) {
    this.#deps = deps
  }

  /** The present rights; undefined for what is gone, disabled or expired. `counts`: this is a use of the account. */
  rightsOf(reference: string, counts = false): Rights | undefined {
    if (reference === adminRights.reference) return adminRights
    const pack = this.#deps.resolvePack(reference)
    if (pack) return pack
    const { accounts, id } = this.#find(reference)
    return counts ? accounts.use(id) : accounts.rightsOf(id)
  }

  /** A hash of the password or token, as the daemon keeps it; undefined for an account that is gone. */
  proofOf(reference: string): string | undefined {
    if (reference === adminRights.reference) return hash('sha256', this.#deps.apiToken.value)
    const { accounts, id } = this.#find(reference)
    const entry = accounts.get(id)
    return entry && hash('sha256', entry.row.hash)
  }

  describe({ name, role, reference }: Rights): CallerEntry {
    const { accounts, id } = this.#find(reference)
    const row = accounts.get(id)?.row
    const { centers = [], rooms = [], groups } = row ?? {}
    const provider = row && isOfProvider(row)
    // Accounts have no role `none`.
    return {
      name,
      role: role === 'none' ? 'read' : role,
      centers,
      rooms,
      ...(groups && { groups }),
      ...(provider && { provider }),
      version,
    }
  }

  /** Undefined for the references of others. */
  userOf(reference: string): Entry<User> | undefined {
    const { accounts, id } = this.#find(reference)
    return accounts === this.#deps.users ? accounts.get(id) : undefined
  }

  #find(reference: string) {
    const [, kind, id] = /^(token|user):(\d{1,15})$/.exec(reference) ?? []
    return { accounts: kind === 'token' ? this.#deps.tokens : this.#deps.users, id: Number(id) }
  }
}
