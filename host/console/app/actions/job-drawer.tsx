// What became of a job and what its scripts print, live, in the drawer at the right of any page. Its number is in the
// address: another page has none.
import { t } from '../language/translate.ts'
import { Copies } from '../parts/copy-progress.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { JobActions } from '../parts/job-actions.tsx'
import { JobProgress } from '../parts/job-progress.tsx'
import { argumentOf } from '../parts/job-words.ts'
import { OutputGroups } from '../parts/output-groups.tsx'
import { targetWords } from '../parts/target-words.ts'
import { titleOf } from '../state/commands.ts'
import { hasOutputs, useOutputs } from '../state/job-outputs.ts'
import { useJob } from '../state/jobs.ts'
import { linkTo } from '../state/route.ts'
import { runningCount, showJob, shownJob } from '../state/running-jobs.ts'

export function JobDrawer() {
  const id = shownJob.value ?? 0
  const view = useJob(id)
  const outputs = useOutputs(view)
  const { job, problem } = view
  const title = [t('panel.job', { id: String(id) }), job.value && titleOf(job.value)].filter(Boolean).join(' · ')
  const clients = view.parts.value.map(({ client }) => client)
  return (
    <Drawer title={title} href={linkTo('job', id)} onClose={close}>
      {problem.value && <p class="problem">{t('resource.problem', { reason: problem.value })}</p>}
      <div class="actions">
        <JobActions view={view} onRetry={showJob} />
      </div>
      {job.value && <p class="hint">{[argumentOf(job.value), targetWords(clients)].filter(Boolean).join(' · ')}</p>}
      {job.value && <JobProgress view={view} />}
      <Copies view={view} />
      {hasOutputs(view) && <OutputGroups view={view} outputs={outputs} />}
      {runningCount.value > 1 && <a href={linkTo('jobs')}>{t('frame.running', { n: runningCount.value })}</a>}
    </Drawer>
  )
}

const close = () => showJob()
