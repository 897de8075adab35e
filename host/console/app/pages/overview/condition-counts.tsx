// How many computers are in each condition, and the legend of the signs.
import { formatNumber, t } from '../../language/translate.ts'
import { ConditionSign, conditionWord, FailureSign } from '../../parts/condition-sign.tsx'
import { type Condition, counts, failedCount, isLoaded } from '../../state/lab.ts'

/** The conditions with words of their own. A session has the word of its system. */
const shown: readonly (readonly [Condition, ...Condition[]])[] = [
  ['ready'],
  ['busy'],
  ['linux', 'linux-session'],
  ['windows', 'windows-session'],
  ['virtual'],
  ['waking'],
  ['off'],
]
/** Shown also when there are none. */
const important = ['ready', 'busy', 'off']

export function ConditionCounts() {
  if (!isLoaded.value) return <p class="hint">{t('resource.loading')}</p>
  const numbers = counts.value.byCondition
  const rows = shown
    .map(group => ({ condition: group[0], n: group.reduce((sum, one) => sum + (numbers[one] ?? 0), 0) }))
    .filter(({ condition, n }) => n > 0 || important.includes(condition))
  const total = rows.reduce((sum, { n }) => sum + n, 0)
  return (
    <ul class="row" aria-label={t('overview.counts')}>
      <li class="card figure">
        <strong class="line">{formatNumber(total)}</strong> <span>{t('overview.computers')}</span>
      </li>
      {rows.map(({ condition, n }) => (
        <li key={condition} class={n === 0 ? 'card figure none' : 'card figure'}>
          <strong class="line">{formatNumber(n)}</strong>{' '}
          <span>
            <ConditionSign condition={condition} /> {conditionWord(condition)}
          </span>
        </li>
      ))}
      {failedCount.value > 0 && (
        <li class="card figure">
          <strong class="line">{formatNumber(failedCount.value)}</strong>{' '}
          <span>
            <FailureSign /> {t('rooms.failed')}
          </span>
        </li>
      )}
    </ul>
  )
}
