// How far the copy of an image on one computer is: a bar with percent, rate and remaining time.
import type { CopyProgress } from '../../../../contract/answers.ts'
import { formatBytes, t } from '../../language/translate.ts'

export function PartProgress({ progress: { percent, rate, remaining } }: { progress: CopyProgress }) {
  const words = [
    t('job.percent', { n: Math.floor(percent) }),
    ...(rate === undefined ? [] : [t('job.rate', { rate: formatBytes(rate) })]),
    ...(remaining === undefined ? [] : [remainingWords(remaining)]),
  ]
  return (
    <span class="copy-progress">
      <progress max={100} value={percent} aria-label={t('job.copyProgress')} />
      <span>{words.join(' · ')}</span>
    </span>
  )
}

const remainingWords = (seconds: number): string =>
  seconds < 60 ? t('job.secondsLeft', { n: seconds }) : t('job.minutesLeft', { n: Math.ceil(seconds / 60) })
