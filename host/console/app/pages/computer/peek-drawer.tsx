// A computer in the drawer beside the map or a list: its state, since when, what failed and what ran last, and its commands.
import type { ClientHistoryAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Drawer } from '../../parts/drawer.tsx'
import { groupOf } from '../../state/filter.ts'
import type { ComputerView } from '../../state/lab.ts'
import { endPeek, peeked } from '../../state/peek.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { Actions, Facts } from './computer-head.tsx'
import { FailureList } from './failure-list.tsx'
import { LastJobs } from './last-jobs.tsx'

export function PeekDrawer() {
  const computer = peeked.value
  if (!computer) return null
  const { ip, id, name } = computer
  return (
    <Drawer title={name} href={linkTo('computer', ip)} closingKey=" " isFocused={true} onClose={endPeek}>
      <Facts computer={computer} mac={undefined} />
      {id > 0 && <Since key={ip} computer={computer} />}
      {may('operate') && (
        <div class="actions">
          <Actions computer={computer} />
        </div>
      )}
      <FailureList computer={computer} />
      {id > 0 && <LastJobs key={ip} ip={ip} limit={1} />}
    </Drawer>
  )
}

/** Only where the history of the last days has the change to the state: it is written down every few minutes. */
function Since({ computer: { ip, live } }: { computer: ComputerView }) {
  const { condition } = live.value
  const history = useResource<ClientHistoryAnswer>(`/history/client?client=${ip}`).value.value
  const last = history?.changes.at(-1)
  if (!last || last.time === history?.from || groupOf(condition) !== groupOfState(last.state)) return null
  return <p class="hint">{t('peek.since', { time: formatTime(last.time) })}</p>
}

const groupOfState = (state: string): string => (state === 'oglive' ? 'ready' : state)
