// Names every computer of a request by room, and says when more match the search that was shown.
import { t } from '../language/translate.ts'
import { nameOf, roomOf } from '../state/lab.ts'
import { newMatches } from '../state/searches.ts'
import { groupBy } from './group-by.ts'
import { listOf } from './job-words.ts'
import { ScrollBox } from './scroll-box.tsx'

export const byRoom = (clients: readonly string[]) =>
  [...groupBy(clients, roomOf)].map(([room, own]) => ({ room: room?.id, name: room?.name ?? t('command.noRoom'), own }))

/** The words before it name a single one. */
export function TargetList({ clients }: { clients: readonly string[] }) {
  const n = newMatches.value
  return (
    <>
      {clients.length > 1 && (
        <ScrollBox class="target-list" label={t('place.computers')}>
          {byRoom(clients).map(({ room, name, own }) => (
            <div key={room}>
              <b>{name}</b> {listOf(own.map(nameOf))}
            </div>
          ))}
        </ScrollBox>
      )}
      <div role="status">{n > 0 && <p class="banner warn">{t('search.more', { n })}</p>}</div>
    </>
  )
}
