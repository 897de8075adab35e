// The conformance suites of stores: the test file of an adapter calls them with a function that opens its stores.
import { backup, dumps } from './backup.ts'
import * as centers from './centers.ts'
import * as changes from './changes.ts'
import * as computers from './computers.ts'
import * as concurrency from './concurrency.ts'
import { crashes } from './crashes.ts'
import * as fullDisk from './full-disk.ts'
import { imageVersions } from './image-versions.ts'
import * as images from './images.ts'
import * as inventory from './inventory.ts'
import * as jobLists from './job-lists.ts'
import * as jobs from './jobs.ts'
import { merges } from './merges.ts'
import * as names from './names.ts'
import { outputs } from './outputs.ts'
import * as partChanges from './part-changes.ts'
import * as procedures from './procedures.ts'
import { reopening } from './reopening.ts'
import { type FillableStore, type OpenedStore, type PersistentStore, suites } from './rule.ts'
import * as schedules from './schedules.ts'
import { seats } from './seats.ts'
import { type SharedStore, sharedEngine } from './shared-engine.ts'
import * as tasks from './tasks.ts'
import * as tokensAndUsers from './tokens-and-users.ts'

/** The exported functions of each file; their names are the titles of the suites. */
const sections = {
  ...centers,
  ...computers,
  seats,
  merges,
  ...inventory,
  ...names,
  ...images,
  imageVersions,
  ...concurrency,
  ...procedures,
  ...tasks,
  ...schedules,
  ...jobs,
  ...jobLists,
  ...partChanges,
  outputs,
  ...tokensAndUsers,
  ...changes,
  backup,
  dumps,
}

export { outputLimits } from './outputs.ts'

export const conformance = (adapter: string, open: () => Promise<OpenedStore>) => suites(adapter, sections, open)

/** For a store whose data stay when its process ends. */
export const durability = (adapter: string, open: () => Promise<PersistentStore>) =>
  suites(adapter, { reopening, crashes }, open)

/** For a store whose engine several hosts share. */
export const sharing = (adapter: string, open: () => Promise<SharedStore>) => suites(adapter, { sharedEngine }, open)

/** For a store whose disk the test can fill. */
export const scarcity = (adapter: string, open: () => Promise<FillableStore>) => suites(adapter, { ...fullDisk }, open)
