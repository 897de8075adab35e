// One job: what was asked, by whom, and what became of it on each computer, live.
import type { JobAnswer } from '../../../../contract/answers.ts'
import { type Source, sourceOf, useListedValues } from '../../actions/listed-values.ts'
import { ownFormOf } from '../../actions/own-forms.ts'
import { formatTime, t } from '../../language/translate.ts'
import { JobActions } from '../../parts/job-actions.tsx'
import { JobProgress } from '../../parts/job-progress.tsx'
import { OutputGroups } from '../../parts/output-groups.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { fieldWord } from '../../parts/value-words.ts'
import { labelOfName, titleOf } from '../../state/commands.ts'
import { hasOutputs, useOutputs } from '../../state/job-outputs.ts'
import { useJob } from '../../state/jobs.ts'
import { goTo, linkTo, route } from '../../state/route.ts'
import { JobDownload } from './job-download.tsx'
import { originWord } from './jobs-page.tsx'
import { PartList } from './part-list.tsx'
import { ReportCard } from './report-card.tsx'

export function JobPage() {
  const [text = ''] = route.value.rest
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  return <JobDetail key={text} id={id} text={text} />
}

function JobDetail({ id, text }: { id: number; text: string }) {
  const view = useJob(id)
  const outputs = useOutputs(view)
  const job = view.job.value
  if (!job) {
    const reason = view.problem.value
    return (
      <>
        <PageHead title={t('panel.job', { id: text })} />
        {reason ? <NoJob reason={reason} /> : <p class="hint">{t('resource.loading')}</p>}
      </>
    )
  }
  const printed = hasOutputs(view)
  return (
    <>
      <PageHead title={`${t('panel.job', { id: String(id) })} · ${titleOf(job)}`}>
        <JobActions view={view} onRetry={next => goTo('job', next)} />
        <JobDownload view={view} outputs={printed ? outputs : undefined} />
      </PageHead>
      {job.where && <p class="hint">{job.where}</p>}
      {view.problem.value && <p class="problem">{t('resource.problem', { reason: view.problem.value })}</p>}
      <section class="card" aria-label={t('job.progress')}>
        <JobProgress view={view} />
      </section>
      {job.commands.includes('image-restore') && <ReportCard job={id} />}
      <div class="columns two">
        <PartList view={view} />
        <div class="job-side stack">
          {printed && <OutputGroups view={view} outputs={outputs} />}
          <Facts job={job} />
          <Arguments job={job} />
        </div>
      </div>
    </>
  )
}

function NoJob({ reason }: { reason: string }) {
  return (
    <div class="card empty-state" role="alert">
      <p>{t('resource.problem', { reason })}</p>
      <a href={linkTo('jobs')}>{t('jobs.showAll')}</a>
    </div>
  )
}

function Facts({ job }: { job: JobAnswer }) {
  const { by, caller, created, origin, commands, steps = commands.length } = job
  const facts: [string, string][] = [
    [t('jobs.who'), by || originWord(origin)],
    [t('job.from'), caller ?? ''],
    [t('field.when'), formatTime(created)],
    [t('job.origin'), originWord(origin)],
    [t('job.steps'), steps > 1 ? String(steps) : ''],
  ]
  return (
    <section class="card">
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{name === t('job.origin') && job.schedule ? <a href={linkTo('schedules')}>{value}</a> : value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function Arguments({ job: { commands, arguments: args, steps = commands.length } }: { job: JobAnswer }) {
  return (
    <section class="card" aria-label={t('job.arguments')}>
      <h2>{t('job.arguments')}</h2>
      {commands.map((command, step) => (
        <div key={step}>
          {commands.length > 1 && <h3>{`${step + 1}. ${labelOfName(command)}`}</h3>}
          <StepArguments command={command} values={args?.[step] ?? null} />
        </div>
      ))}
      {steps > commands.length && <p class="hint">{t('job.moreSteps', { n: steps - commands.length })}</p>}
    </section>
  )
}

function ArgumentValue({ source, value }: { source: Source | undefined; value: unknown }) {
  if (source) return <ListedValue source={source} value={String(value)} />
  if (typeof value === 'boolean') return t(value ? 'command.yes' : 'command.no')
  return typeof value === 'object' ? <pre>{JSON.stringify(value, null, 1)}</pre> : String(value)
}

const ListedValue = ({ source, value }: { source: Source; value: string }) =>
  useListedValues(source).find(option => option.value === value)?.label ?? value

function StepArguments({ command, values }: { command: string; values: Record<string, unknown> | null }) {
  if (values === null) return <p class="hint">{t('job.argumentsTooLong')}</p>
  const { run, clients: _, ...rest } = values
  const { hidden, Form } = ownFormOf(command)
  const entries = Object.entries(rest).flatMap(([key, value]) => {
    // What no form asks for has no words either.
    const label = fieldWord(key, command) ?? (Form || hidden.includes(key) ? undefined : key)
    return label === undefined ? [] : { key, label, value }
  })
  if (run === undefined && entries.length === 0) return <p class="hint">{t('job.noArguments')}</p>
  return (
    <>
      {run !== undefined && <pre class="output">{String(run)}</pre>}
      <dl class="facts">
        {entries.map(({ key, label, value }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <ArgumentValue source={sourceOf(command, key)} value={value} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
