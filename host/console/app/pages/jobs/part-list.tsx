// The outcome of a job on each computer. A row follows its own part; rows out of sight cost nothing.
import { useSignal } from '@preact/signals'
import type { PartWait } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { PartProgress } from '../../parts/copy-progress.tsx'
import { durationWords, partWord, reasonWords, shownStates, stateCount } from '../../parts/job-words.ts'
import { needsLook } from '../../parts/outcome-groups.tsx'
import { Badges } from '../../parts/tone.tsx'
import { labelOfName } from '../../state/commands.ts'
import type { JobView, PartView } from '../../state/jobs.ts'
import { nameOf, roomOf } from '../../state/lab.ts'
import { type ShownState, stateOf, totalOf } from '../../state/part-counts.ts'
import { linkTo } from '../../state/route.ts'

export function PartList({ view }: { view: JobView }) {
  const filter = useSignal<ShownState | undefined>(undefined)
  const counts = view.counts.value
  const hasSteps = (view.job.value?.commands.length ?? 0) > 1
  // Of a state that no part has any more, all are shown.
  const state = filter.value && counts[filter.value] > 0 ? filter.value : undefined
  const isFirst = ({ live }: PartView) => Number(needsLook(live.peek()))
  const parts = view.parts.value
    .filter(({ live }) => state === undefined || stateOf(live.peek()) === state)
    .sort((a, b) => isFirst(b) - isFirst(a))
  const choices = shownStates.filter(each => counts[each] > 0)
  return (
    <section class="card" aria-label={t('panel.outcomes')}>
      <fieldset class="row" aria-label={t('job.filter')}>
        <FilterButton label={t('job.all', { n: totalOf(counts) })} isOn={!state} choose={() => choose(undefined)} />
        {choices.map(each => (
          <FilterButton
            key={each}
            label={stateCount(each, counts[each])}
            state={each}
            isOn={state === each}
            choose={() => choose(each)}
          />
        ))}
      </fieldset>
      <ul class={hasSteps ? 'part-list with-steps' : 'part-list'}>
        {parts.map(part => (
          <PartRow key={part.key} part={part} hasSteps={hasSteps} />
        ))}
      </ul>
    </section>
  )

  function choose(next: ShownState | undefined): void {
    filter.value = next
  }
}

interface FilterButtonProps {
  label: string
  state?: ShownState
  isOn: boolean
  choose(): void
}

function FilterButton({ label, state, isOn, choose }: FilterButtonProps) {
  return (
    <Button class="chip" aria-pressed={isOn} press={choose}>
      {state ? (
        <span class="sign" data-state={state}>
          {label}
        </span>
      ) : (
        label
      )}
    </Button>
  )
}

function PartRow({ part, hasSteps }: { part: PartView; hasSteps: boolean }) {
  const answer = part.live.value
  const { reason, queued, sent, ended, progress, waiting, stopped } = answer
  const state = stateOf(answer)
  const room = roomOf(part.client)?.name
  // A success has a reason only when its log could not confirm it.
  const isConfirmed = state !== 'success' || !reason
  return (
    <li class="part-row" data-state={state}>
      <span class="part-client">
        <a href={linkTo('computer', part.client)}>{nameOf(part.client)}</a> <Badges ip={part.client} />
        {room && <small class="hint">{room}</small>}
      </span>
      {hasSteps && <span>{`${part.step + 1}. ${labelOfName(part.command)}`}</span>}
      <span>
        <span class={isConfirmed ? 'sign' : 'sign unconfirmed'} data-state={state}>
          {partWord(answer)}
        </span>
        {reason && stopped === undefined && <small class="hint">{reasonWords(reason)}</small>}
        {waiting && <small class="hint">{waitWords(waiting)}</small>}
        {progress && <PartProgress progress={progress} />}
      </span>
      <span class="time">
        {formatTime(ended ?? sent ?? queued)}
        {sent && ended && <small class="hint">{durationWords(Date.parse(ended) - Date.parse(sent))}</small>}
      </span>
    </li>
  )
}

const waitTexts = {
  off: 'condition.off',
  busy: 'job.waitsBusy',
  step: 'job.waitsStep',
  logout: 'job.waitsLogout',
  slot: 'job.waitsSlot',
  batch: 'job.waitsBatch',
} as const

function waitWords({ for: reason, place = 1, seconds, woken, until }: PartWait): string {
  return [
    t(waitTexts[reason], { n: place }),
    seconds !== undefined && t('job.waitsAbout', { m: Math.max(1, Math.round(seconds / 60)) }),
    woken && t('job.waitsWoken', { time: formatTime(woken) }),
    until && t('job.waitsUntil', { time: formatTime(until) }),
  ]
    .filter(Boolean)
    .join(', ')
}
