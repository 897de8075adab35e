// Creates the services that find computers, and that say what these did.
import { LastSeen } from '../agents/last-seen.ts'
import { createHistory } from '../history/service.ts'
import { Failures } from '../jobs/record/failures.ts'
import { createGroups } from './computer-groups.ts'
import { createFleetInventory } from './inventory/service.ts'
import { createSearch, type SearchDeps } from './service.ts'

type FindingDeps = ConstructorParameters<typeof LastSeen>[0] &
  ConstructorParameters<typeof Failures>[0] &
  Omit<SearchDeps, 'lastSeen' | 'failures'> &
  Omit<Parameters<typeof createFleetInventory>[0], 'search' | 'lastSeen'> &
  Omit<Parameters<typeof createGroups>[0], 'search'> &
  Omit<Parameters<typeof createHistory>[0], 'failures'>

export function createFinding(deps: FindingDeps) {
  const failures = new Failures(deps)
  const lastSeen = new LastSeen(deps)
  const search = createSearch({ ...deps, failures, lastSeen })
  const fleetInventory = createFleetInventory({ ...deps, lastSeen, search })
  const groups = createGroups({ ...deps, search })
  return { lastSeen, failures, search, fleetInventory, groups, ...createHistory({ ...deps, failures }) }
}
