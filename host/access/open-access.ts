// Opens tokens and users of the store, with limits that follow its centers, rooms and computers.
import type { Rights } from '../contract/services.ts'
import { Places } from './places.ts'
import { type Access, type AccessDeps, createAccess } from './service.ts'

export interface OpenedAccess {
  access: Access
  /** To be awaited before limited rights are asked. */
  refreshLimits(): Promise<void>
  /** The present rights of an account; undefined when it is gone, disabled or expired. */
  resolveRights(reference: string): Promise<Rights | undefined>
}

export async function openAccess(deps: Omit<AccessDeps, 'limitsOf'>): Promise<OpenedAccess> {
  const places = new Places(deps.store)
  const access = createAccess({ ...deps, limitsOf: places.limitsOf })
  await access.reload()
  return {
    access,
    refreshLimits: () => places.refresh(),
    async resolveRights(reference) {
      // Readers of events ask often, most of them without limits.
      if (access.service.rightsOf(reference)?.isLimited) await places.refresh()
      return access.service.rightsOf(reference)
    },
  }
}
