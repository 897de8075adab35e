// What became of a job: a line for each state and reason, with its computers; what needs a look comes first.
import { useSignal } from '@preact/signals'
import { isUnfinished } from '../../../../stores/rules/part-states.ts'
import type { PartAnswer } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'
import { labelOfName } from '../state/commands.ts'
import type { JobView, PartView } from '../state/jobs.ts'
import { computers, nameOf } from '../state/lab.ts'
import { stateOf, totalOf } from '../state/part-counts.ts'
import { linkTo } from '../state/route.ts'
import { Button } from './button.tsx'
import { stopWords } from './condition-sign.tsx'
import { groupBy } from './group-by.ts'
import { reasonWords, shownStates, stateCount, stateWord } from './job-words.ts'

/** More lines are on the page of the job, more names behind a button. */
const [mostGroups, mostNames] = [12, 24]

interface OutcomeGroup {
  key: string
  /** One of its parts: they have the same state and reason. */
  part: PartAnswer
  parts: readonly PartView[]
}

export function OutcomeGroups({ view }: { view: JobView }) {
  // The counts change with the states of parts.
  if (totalOf(view.counts.value) === 0) return null
  const hasSteps = (view.job.value?.commands.length ?? 0) > 1
  const groups = groupsOf(view.parts.value)
  const hidden = groups.length - mostGroups
  return (
    <ul class="outcomes list" aria-label={t('panel.groups')}>
      {groups.slice(0, mostGroups).map(group => (
        <GroupLine key={group.key} group={group} hasSteps={hasSteps} />
      ))}
      {hidden > 0 && (
        <li class="hint">
          {t('panel.moreReasons', { n: hidden })} <a href={linkTo('job', view.id)}>{t('panel.all')}</a>
        </li>
      )}
    </ul>
  )
}

function groupsOf(all: readonly PartView[]): OutcomeGroup[] {
  const groups = groupBy(all, ({ step, live }) => {
    const part = live.peek()
    return `${step} ${stateOf(part)} ${part.reason ?? ''}`
  })
  return [...groups]
    .flatMap(([key, parts]) => parts.slice(0, 1).map(({ live }) => ({ key, part: live.peek(), parts })))
    .sort((a, b) => rankOf(a.part) - rankOf(b.part) || b.parts.length - a.parts.length)
}

/** It has ended, and not well. */
export const needsLook = (part: PartAnswer): boolean => part.state !== 'success' && !isUnfinished(part)

const rankOf = (part: PartAnswer): number =>
  (needsLook(part) ? 0 : isUnfinished(part) ? 100 : 200) + shownStates.indexOf(stateOf(part))

function GroupLine({ group: { part, parts }, hasSteps }: { group: OutcomeGroup; hasSteps: boolean }) {
  const isOpen = useSignal(false)
  const { reason, step, command, stopped } = part
  const state = stateOf(part)
  const shown = isOpen.value ? parts : parts.slice(0, mostNames)
  return (
    <li class="row texts" data-state={state}>
      <span class="sign" data-state={state}>
        {stateCount(state, parts.length)}
      </span>
      {hasSteps && <span class="hint">{`${step + 1}. ${labelOfName(command)}`}</span>}
      {reason && <span>{stopped === undefined ? reasonWords(reason) : stopWords(part)}</span>}
      <span class="outcome-names row texts">
        {shown.map(({ key, client }) => (
          <ComputerName key={key} ip={client} isRunning={state === 'sent'} />
        ))}
        {shown.length < parts.length && (
          <Button
            text={t('inUse.more', { n: parts.length - shown.length })}
            class="plain"
            press={() => (isOpen.value = true)}
          />
        )}
      </span>
    </li>
  )
}

function ComputerName({ ip, isRunning }: { ip: string; isRunning: boolean }) {
  const progress = isRunning ? computers.value.get(ip)?.live.value.progress : undefined
  return (
    <span>
      <a href={linkTo('computer', ip)}>{nameOf(ip)}</a>
      {progress !== undefined && <progress max="100" value={progress} aria-label={stateWord('sent')} />}
    </span>
  )
}
