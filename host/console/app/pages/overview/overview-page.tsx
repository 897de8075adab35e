// The page of the whole fleet: counts, what needs attention, running jobs, and each room as a mosaic.
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Attention } from './attention.tsx'
import { ConditionCounts } from './condition-counts.tsx'
import { FleetHistory } from './fleet-history.tsx'
import { Mosaic } from './mosaic.tsx'
import { NextFirings } from './next-firings.tsx'
import { RunningJobs } from './overview-jobs.tsx'
import { ViewFigures } from './view-figures.tsx'

export function OverviewPage() {
  return (
    <>
      <PageHead title={t('place.now')} />
      <ConditionCounts />
      <ViewFigures />
      <div class="stack overview">
        <div class="overview-side stack">
          <Attention />
          <RunningJobs />
          <NextFirings />
        </div>
        <div class="stack">
          <Mosaic />
          <FleetHistory />
        </div>
      </div>
    </>
  )
}
