// What is wrong: readiness, command files, disk space, what has failed or was stopped, computers without a record.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { HooksAnswer, ImagesAnswer, ModulesAnswer, ReadyAnswer } from '../../../../contract/answers.ts'
import type { StreamEvent } from '../../../../contract/fleet-events.ts'
import { get } from '../../api/request.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { stopWords } from '../../parts/condition-sign.tsx'
import { labelOfName } from '../../state/commands.ts'
import { onMissingEvents } from '../../state/events.ts'
import { type FailedJob, failedJobs } from '../../state/failures.ts'
import { failedGroup } from '../../state/filter.ts'
import { failedCount, pendingClients } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { isUnlimited } from '../../state/session.ts'
import { useRepeated } from '../../state/views.ts'

/** Milliseconds between two questions whether the daemon can work: no event says it. */
const readinessTime = 15_000
/** The part of a disk that should be free. */
const enoughSpace = 0.1
/** Entries of a list that are shown. */
const listed = 5

export function Attention() {
  return (
    <section class="card" aria-labelledby="attention">
      <h2 id="attention">{t('overview.attention')}</h2>
      <div role="status">
        <ul class="list">
          <Readiness />
          <ModuleErrors />
          {isUnlimited() && <Hooks />}
          <DiskSpace />
          <Failures />
          <StoppedJobs />
          <PendingClients />
        </ul>
      </div>
    </section>
  )
}

function Item({ kind, children }: { kind: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  return <li class={`marked ${kind}`}>{children}</li>
}

/** Why the daemon cannot work, and what else there is to know; undefined before the first answer. It is kept. */
const readiness = signal<{ reasons: readonly string[]; notes: readonly string[] } | undefined>(undefined)

function Readiness() {
  useEffect(() => {
    const read = async () => {
      // The reasons come with status 503, which is no refusal.
      const { value, status } = await get<Partial<ReadyAnswer>>('/readyz')
      const { reasons = [], notes = [] } = value ?? {}
      readiness.value = { reasons: status === 0 ? [t('notice.unreachable')] : reasons, notes }
    }
    void read()
    const timer = setInterval(() => void read(), readinessTime)
    const offMissing = onMissingEvents(() => void read())
    return () => {
      clearInterval(timer)
      offMissing()
    }
  }, [])
  if (!readiness.value) return null
  const { reasons, notes } = readiness.value
  return (
    <>
      {reasons.length === 0 && <Item kind="good">{t('overview.ready')}</Item>}
      {reasons.map(reason => (
        <Item key={reason} kind="bad">
          {reason}
        </Item>
      ))}
      {notes.map(note => (
        <Item key={note} kind="warn">
          {note}
        </Item>
      ))}
    </>
  )
}

const isModuleEvent = ({ type }: StreamEvent) => type.startsWith('module-')

function ModuleErrors() {
  const modules = useResource<ModulesAnswer>('/modules', isModuleEvent)
  const broken = modules.value.value?.modules.filter(({ error }) => error !== undefined) ?? []
  if (broken.length === 0) return null
  return (
    <Item kind="bad">
      <a href={linkTo('modules')}>{t('overview.brokenModules', { n: broken.length })}</a>
      {broken.slice(0, listed).map(({ file, error }) => (
        <code key={file}>{error}</code>
      ))}
    </Item>
  )
}

function Hooks() {
  const hooks = useResource<HooksAnswer>('/hooks', isModuleEvent)
  useRepeated(hooks)
  const stopped = hooks.value.value?.hooks.filter(({ state }) => state === 'paused' || state === 'failing') ?? []
  if (stopped.length === 0) return null
  return (
    <Item kind="warn">
      <a href={linkTo('modules', 'hooks')}>{t('overview.stoppedHooks', { n: stopped.length })}</a>
      <span class="hint">{stopped.map(({ name }) => name).join(', ')}</span>
    </Item>
  )
}

const isImageEvent = ({ type }: StreamEvent) => type.startsWith('image-')

function DiskSpace() {
  const images = useResource<ImagesAnswer>('/images', isImageEvent)
  const disk = images.value.value?.disk
  if (!disk) return null
  const free = formatBytes(disk.free)
  const isLow = disk.free < disk.total * enoughSpace
  return (
    <Item kind={isLow ? 'warn' : 'good'}>
      <a href={linkTo('images')}>{t('field.repository')}</a>{' '}
      {t(isLow ? 'overview.lowSpace' : 'overview.space', { free, total: formatBytes(disk.total) })}
    </Item>
  )
}

function Failures() {
  const jobs = failedJobs.value.filter(({ stopped }) => stopped === undefined)
  const n = failedCount.value
  if (n === 0) return null
  return (
    <Item kind="bad">
      <a href={`${linkTo('')}?state=${failedGroup}`}>{t('overview.unseenFailures', { n })}</a>
      {jobs.slice(0, listed).map(each => (
        <JobLine key={each.job} job={each} words={t('overview.failures', { n: each.n })} />
      ))}
    </Item>
  )
}

function StoppedJobs() {
  const jobs = failedJobs.value.filter(({ stopped }) => stopped !== undefined)
  if (jobs.length === 0) return null
  return (
    <Item kind="warn">
      {jobs.slice(0, listed).map(each => (
        <JobLine key={each.job} job={each} words={stopWords(each)} />
      ))}
    </Item>
  )
}

function JobLine({ job: { job, command, time }, words }: { job: FailedJob; words: string }) {
  return (
    <span>
      <a href={linkTo('job', job)}>{t('overview.job', { id: String(job), name: labelOfName(command) })}</a>{' '}
      <span class="hint">
        {words} · {formatTime(time)}
      </span>
    </span>
  )
}

function PendingClients() {
  const all = pendingClients.value
  if (all.length === 0) return null
  return (
    <Item kind="warn">
      {t('overview.pending', { n: all.length })}{' '}
      <span class="hint">
        {all
          .slice(0, listed)
          .map(({ ip }) => ip)
          .join(', ')}
        {all.length > listed && ' …'}
      </span>
      <a href={linkTo('')}>{t('plannedRestores.rooms')}</a>
    </Item>
  )
}
