// What every adapter of the store must do; an adapter's own test file opens its stores and hands them over.

import { whole } from './backup.ts'
import * as sites from './centers.ts'
import { changes } from './changes.ts'
import * as computers from './computers.ts'
import { crashes } from './crashes.ts'
import { fullDisk } from './full-disk.ts'
import * as images from './images.ts'
import * as jobs from './jobs.ts'
import { reopening } from './reopening.ts'
import * as rivals from './rivals.ts'
import { type Filled, type Lasting, type Opened, suites } from './rule.ts'
import * as work from './work.ts'

export const conformance = (adapter: string, open: () => Promise<Opened>) =>
  suites(adapter, { ...sites, ...computers, ...images, ...rivals, ...work, ...jobs, changes, whole }, open)

/** For a store that outlives its process. */
export const durability = (adapter: string, open: () => Promise<Lasting>) =>
  suites(adapter, { reopening, crashes }, open)

/** For a store of which the test can make the disk full. */
export const scarcity = (adapter: string, open: () => Promise<Filled>) => suites(adapter, { fullDisk }, open)
