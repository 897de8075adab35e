// How far copies of images are, on one computer and on all of a job: bars with percent, rate and remaining time.
import { isUnfinished } from '../../../../stores/rules/part-states.ts'
import type { CopyProgress } from '../../../contract/answers.ts'
import { formatBytes, t } from '../language/translate.ts'
import type { JobView } from '../state/jobs.ts'
import { nameOf } from '../state/lab.ts'
import { linkTo } from '../state/route.ts'

/** Of all computers together, then of each that copies now; nothing while none does. */
export function Copies({ view }: { view: JobView }) {
  const total = totalOf(view)
  if (!total) return null
  return (
    <ul class="copies list" aria-label={t('job.copyProgress')}>
      <li>
        <strong>{t('accounts.allComputers')}</strong> <PartProgress progress={total} />
      </li>
      {view.parts.value.map(({ key, client, live }) => {
        const { progress } = live.value
        return (
          progress && (
            <li key={key}>
              <a href={linkTo('computer', client)}>{nameOf(client)}</a> <PartProgress progress={progress} />
            </li>
          )
        )
      })}
    </ul>
  )
}

/** Without those that did not get the image. The time that is left is known when no computer waits. */
function totalOf({ parts }: JobView): CopyProgress | undefined {
  const all = parts.value.map(({ live }) => live.value)
  const steps = new Set(all.filter(({ progress }) => progress).map(({ step }) => step))
  if (steps.size === 0) return undefined
  const ofCopies = all.filter(part => steps.has(part.step) && (isUnfinished(part) || part.state === 'success'))
  const isKnown = ofCopies.every(part => !isUnfinished(part) || part.progress?.remaining !== undefined)
  const sum = (read: (part: (typeof all)[number]) => number) =>
    ofCopies.reduce((before, part) => before + read(part), 0)
  return {
    percent: sum(part => part.progress?.percent ?? (isUnfinished(part) ? 0 : 100)) / ofCopies.length,
    rate: sum(({ progress }) => progress?.rate ?? 0),
    ...(isKnown && { remaining: Math.max(...ofCopies.map(({ progress }) => progress?.remaining ?? 0)) }),
  }
}

export function PartProgress({ progress: { percent, rate, remaining } }: { progress: CopyProgress }) {
  const words = [
    t('job.percent', { n: Math.floor(percent) }),
    ...(rate === undefined ? [] : [t('job.rate', { rate: formatBytes(rate) })]),
    ...(remaining === undefined ? [] : [remainingWords(remaining)]),
  ]
  return (
    <span class="copy-progress row">
      <progress max={100} value={percent} aria-label={t('job.copyProgress')} />
      <small class="hint">{words.join(' · ')}</small>
    </span>
  )
}

const remainingWords = (seconds: number): string =>
  seconds < 60 ? t('job.secondsLeft', { n: seconds }) : t('job.minutesLeft', { n: Math.ceil(seconds / 60) })
