// The last jobs of the computer; each opens to show its outcome there and what its script printed.
import { useSignal } from '@preact/signals'
import type { JobAnswer, JobDetails, JobsAnswer, PartAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { argumentOf, partWord, reasonWords } from '../../parts/job-words.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { labelOfName, titleOf } from '../../state/commands.ts'
import { stateOf } from '../../state/part-counts.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'

export interface LastJobsProps {
  ip: string
  /** Jobs that are listed. */
  limit?: number
}

export function LastJobs({ ip, limit = 8 }: LastJobsProps) {
  const jobs = useResource<JobsAnswer>(
    `/jobs?client=${ip}&limit=${limit}`,
    ({ type, clients }) => type === 'job-created' && clients.includes(ip),
  )
  return (
    <section class="card wide" aria-labelledby="last-jobs">
      <h2 id="last-jobs">{t('computer.lastJobs')}</h2>
      <ResourceView resource={jobs}>
        {({ jobs: list }) =>
          list.length === 0 ? (
            <p class="hint">{t('computer.noJobs')}</p>
          ) : (
            <div class="last-jobs">
              {list.map(job => (
                <LastJob key={job.id} ip={ip} job={job} />
              ))}
            </div>
          )
        }
      </ResourceView>
    </section>
  )
}

function LastJob({ ip, job }: { ip: string; job: JobAnswer }) {
  const isOpen = useSignal(false)
  const details = useResource<JobDetails>(
    `/jobs/${job.id}?client=${ip}`,
    event => 'job' in event && event.job === job.id && (event.type === 'job-finished' || event.clients.includes(ip)),
  )
  const parts = details.value.value?.parts ?? []
  return (
    <details onToggle={event => (isOpen.value = event.currentTarget.open)}>
      <summary>
        <span>
          <b>{titleOf(job)}</b> <small class="hint">{argumentOf(job)}</small>
        </span>
        {parts.slice(-1).map(part => (
          <span key={part.state} class="sign" data-state={stateOf(part)}>
            {partWord(part)}
          </span>
        ))}
        <span class="hint">{formatTime(job.created)}</span>
      </summary>
      {isOpen.value && (
        <>
          <p>
            <a href={linkTo('job', job.id)}>{t('panel.job', { id: String(job.id) })}</a>
            {job.by && <span class="hint"> {t('computer.by', { name: job.by })}</span>}
          </p>
          {parts.map(part => (
            <Outcome key={part.step} job={job.id} part={part} isOnly={parts.length === 1} />
          ))}
        </>
      )}
    </details>
  )
}

function Outcome({ job, part, isOnly }: OutcomeProps) {
  const { step, command, stopped, reason, output, output_dropped: isDropped } = part
  return (
    <div class="list">
      {!isOnly && (
        <p>
          {labelOfName(command)}{' '}
          <span class="sign" data-state={stateOf(part)}>
            {partWord(part)}
          </span>
        </p>
      )}
      {reason && stopped === undefined && <p class="problem">{reasonWords(reason)}</p>}
      {isDropped && <p class="hint">{t('computer.dropped')}</p>}
      {output ? (
        <ScrollBox class="output" label={t('computer.output', { id: String(job), step: step + 1 })}>
          <pre>{output}</pre>
        </ScrollBox>
      ) : (
        !isDropped && <p class="hint">{t('computer.noOutput')}</p>
      )}
    </div>
  )
}

interface OutcomeProps {
  job: number
  part: PartAnswer
  /** The job has one step, whose state its heading has. */
  isOnly: boolean
}
