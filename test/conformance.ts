// What every adapter of the store must do; an adapter's own test file opens its stores and hands them over.
import { changes } from './conformance/changes.ts'
import * as computers from './conformance/computers.ts'
import { crashes } from './conformance/crashes.ts'
import { fullDisk } from './conformance/full-disk.ts'
import * as images from './conformance/images.ts'
import * as jobs from './conformance/jobs.ts'
import { reopening } from './conformance/reopening.ts'
import * as rivals from './conformance/rivals.ts'
import { type Filled, type Lasting, type Opened, suites } from './conformance/rule.ts'
import * as sites from './conformance/sites.ts'
import { whole } from './conformance/whole.ts'
import * as work from './conformance/work.ts'

export const conformance = (adapter: string, open: () => Promise<Opened>) =>
  suites(adapter, { ...sites, ...computers, ...images, ...rivals, ...work, ...jobs, changes, whole }, open)

/** For a store that outlives its process. */
export const durability = (adapter: string, open: () => Promise<Lasting>) =>
  suites(adapter, { reopening, crashes }, open)

/** For a store of which the test can make the disk full. */
export const scarcity = (adapter: string, open: () => Promise<Filled>) => suites(adapter, { fullDisk }, open)
