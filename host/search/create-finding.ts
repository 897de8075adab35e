// Creates the services that find computers.
import { LastSeen } from '../agents/last-seen.ts'
import { Failures } from '../jobs/record/failures.ts'
import { createGroups } from './computer-groups.ts'
import { createFleetInventory } from './inventory/service.ts'
import { createSearch, type SearchDeps } from './service.ts'

type FindingDeps = Omit<ConstructorParameters<typeof LastSeen>[0], 'hasRecord'> &
  ConstructorParameters<typeof Failures>[0] &
  Omit<SearchDeps, 'lastSeen' | 'failures'> &
  Omit<Parameters<typeof createFleetInventory>[0], 'search' | 'lastSeen'> &
  Omit<Parameters<typeof createGroups>[0], 'search'> & {
    admission: { hasRecord(addr: string): boolean }
  }

export function createFinding(deps: FindingDeps) {
  const { admission } = deps
  const failures = new Failures(deps)
  const lastSeen = new LastSeen({ ...deps, hasRecord: addr => admission.hasRecord(addr) })
  const search = createSearch({ ...deps, failures, lastSeen })
  const fleetInventory = createFleetInventory({ ...deps, lastSeen, search })
  return { lastSeen, failures, search, fleetInventory, groups: createGroups({ ...deps, search }) }
}
