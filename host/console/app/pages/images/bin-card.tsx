// The bin of the repository: what can be brought back, and until when.
import type { BinAnswer, BinEntry } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { report } from '../../state/notices.ts'
import type { Resource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'

export function BinCard({ resource, onChange }: { resource: Resource<BinAnswer>; onChange(): void }) {
  return (
    <section class="card">
      <h2>{t('images.bin')}</h2>
      <ResourceView resource={resource}>
        {({ bin }) =>
          bin.length === 0 ? (
            <p class="hint">{t('images.binEmpty')}</p>
          ) : (
            <ul class="list">
              {bin.map(entry => (
                <BinRow key={entry.id} entry={entry} onChange={onChange} />
              ))}
            </ul>
          )
        }
      </ResourceView>
    </section>
  )
}

function BinRow({ entry: { id, name, size, expires, reason }, onChange }: { entry: BinEntry; onChange(): void }) {
  const undelete = async () => {
    report(await post('/image/undelete', { entry: id }), t('images.undeleted', { name }))
    onChange()
  }
  const purge = async () => {
    const title = t('images.purgeTitle', { name })
    if (!(await confirmed(title, t('images.purgeText', { size: formatBytes(size) }), t('images.purge')))) return
    report(await post('/image/purge', { entry: id }), t('images.purged', { name }))
    onChange()
  }
  return (
    <li>
      <b>{name}</b> {formatBytes(size)}
      <br />
      <small class="hint">
        {reason === 'creation failed' && `${t('images.creationFailed')} · `}
        {t('images.expires', { time: formatTime(expires) })}
      </small>
      {may('admin') && (
        <p class="actions">
          <Button text={t('images.undelete')} aria-label={t('images.undeleteName', { name })} press={undelete} />
          <Button text={t('images.purge')} aria-label={t('images.purgeName', { name })} press={purge} />
        </p>
      )}
    </li>
  )
}
