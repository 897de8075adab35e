// What has come and gone in the inventories of the computer.
import { useSignal } from '@preact/signals'
import type { HistoryAnswer, InventoryChange, UndoAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { changeWords } from '../../parts/value-words.ts'
import { viewOf } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'

/** What is shown at first. */
const [fewChanges, fewNames] = [10, 5]

export function HistoryCard({ ip }: { ip: string }) {
  const history = useResource<HistoryAnswer>(
    `/inventory/history?client=${ip}`,
    ({ type, clients }) => type === 'inventory-changed' && clients.includes(ip),
  )
  const edits = useResource<UndoAnswer>(
    '/undo',
    ({ type, clients }) => type === 'computer-changed' && clients.includes(ip),
  ).value.value
  const isLong = useSignal(false)
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{t('history.title')}</h2>
      <ResourceView resource={history}>
        {({ since, changes }) => (
          <>
            <Edits id={viewOf(ip)?.id} changes={edits?.changes ?? []} />
            {changes.length === 0 && <p class="hint">{noChanges(Object.values(since))}</p>}
            <ol class="inventory-changes list">
              {(isLong.value ? changes : changes.slice(0, fewChanges)).map(change => (
                <Change key={`${change.time} ${change.kind}`} change={change} isLong={isLong.value} />
              ))}
            </ol>
            {!isLong.value && (changes.length > fewChanges || changes.some(hasManyNames)) && (
              <Button text={t('jobs.more')} press={() => (isLong.value = true)} />
            )}
          </>
        )}
      </ResourceView>
    </section>
  )
}

/** What people have changed of the record. */
function Edits({ id, changes }: Pick<UndoAnswer, 'changes'> & { id: number | undefined }) {
  const edits = changes.flatMap(({ id: key, at, by, changes: values = [] }) => {
    const own = values.filter(({ kind, record }) => kind === 'computer' && record === id)
    return own.length > 0 ? [{ key, at, by, own }] : []
  })
  return (
    <ol class="inventory-changes list">
      {edits.slice(0, fewChanges).map(({ key, at, by, own }) => (
        <li key={key}>
          <span class="hint">
            {formatTime(at)} · {by}
          </span>
          <p>{changeWords({ changes: own })}</p>
        </li>
      ))}
    </ol>
  )
}

const hasManyNames = ({ added, removed }: InventoryChange) => Math.max(added.length, removed.length) > fewNames

const noChanges = (times: string[]): string => {
  const first = times.sort()[0]
  return first === undefined ? t('history.unknown') : t('history.none', { time: formatTime(first) })
}

function Change({ change, isLong }: { change: InventoryChange; isLong: boolean }) {
  const { time, disk, partition, added, removed, added_total, removed_total } = change
  const most = isLong ? Number.POSITIVE_INFINITY : fewNames
  return (
    <li>
      <span class="hint">
        {formatTime(time)}
        {partition !== undefined && ` · ${disk}/${partition}`}
      </span>
      <Names sign="+" names={added.slice(0, most)} total={added_total ?? added.length} />
      <Names sign="−" names={removed.slice(0, most)} total={removed_total ?? removed.length} />
    </li>
  )
}

function Names({ sign, names, total }: { sign: string; names: string[]; total: number }) {
  if (names.length === 0) return null
  const rest = total - names.length
  return (
    <ul data-sign={sign}>
      {names.map(name => (
        <li key={name}>
          <b class={`tone ${sign === '+' ? 'good' : 'bad'}`}>{sign}</b> {name}
        </li>
      ))}
      {rest > 0 && <li class="hint">{t('inUse.more', { n: rest })}</li>}
    </ul>
  )
}
