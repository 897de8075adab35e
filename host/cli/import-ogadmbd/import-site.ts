// Imports an ogAdmBD database into an empty store, or only reports what an import would do.
import type { StoreOptions } from '../../../stores/store.ts'
import type { Limits } from '../../config/options.ts'
import type { Log } from '../../log/log.ts'
import { describeStore, loadAdapter } from '../../store/open-store.ts'
import { readSite } from './read-site.ts'
import { toEntries } from './site.ts'
import type { SiteReport } from './site-report.ts'
import type { SourceAddress } from './source-database.ts'

export interface ImportDeps {
  store: StoreOptions
  limits: Limits
  log: Log
  /** The store is not even opened. */
  dryRun: boolean
}

/** Rejects with an error of one line; the store is unchanged then. */
export async function importSite(source: SourceAddress, deps: ImportDeps): Promise<SiteReport> {
  const { store: options, limits, log, dryRun } = deps
  if (dryRun) return (await readSite(source, limits.forward)).report
  const { default: open } = await loadAdapter(options)
  const store = await open(options, log, limits)
  try {
    if (!(await store.backup.isEmpty())) {
      throw new Error(`store ${await describeStore(options)}: not empty; an import needs a new one`)
    }
    const { site, report } = await readSite(source, limits.forward)
    await store.backup.load(toEntries(site))
    return report
  } finally {
    await store.close()
  }
}
