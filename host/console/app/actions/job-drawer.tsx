// What became of a job, live, in the drawer at the right of any page. Its number is in the address: another page has none.
import { t } from '../language/translate.ts'
import { Copies } from '../parts/copy-progress.tsx'
import { Drawer } from '../parts/drawer.tsx'
import { JobActions } from '../parts/job-actions.tsx'
import { JobProgress } from '../parts/job-progress.tsx'
import { labelOfName } from '../state/commands.ts'
import { useJob } from '../state/jobs.ts'
import { linkTo } from '../state/route.ts'
import { runningCount, showJob, shownJob } from '../state/running-jobs.ts'

export function JobDrawer() {
  const id = shownJob.value ?? 0
  const view = useJob(id)
  const { job, problem } = view
  const title = job.value ? labelOfName(job.value.name) : t('panel.job', { id: String(id) })
  return (
    <Drawer title={title} href={linkTo('job', id)} onClose={close}>
      {problem.value && <p class="problem">{t('resource.problem', { reason: problem.value })}</p>}
      <div class="actions">
        <JobActions view={view} onRetry={showJob} />
      </div>
      {job.value && <JobProgress view={view} />}
      <Copies view={view} />
      {runningCount.value > 1 && <a href={linkTo('jobs')}>{t('frame.running', { n: runningCount.value })}</a>}
    </Drawer>
  )
}

const close = () => showJob()
