// Restores an image in rooms, tonight or now: the form, what it will do, and the restores that are planned.
import type { ImagesAnswer, PlansAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'
import { PlannedList } from './planned-list.tsx'
import { RestoreForm } from './restore-form.tsx'

export function PlannedRestoresPage() {
  const images = useResource<ImagesAnswer>('/images', ({ type }) => type.startsWith('image-'))
  const plans = useResource<PlansAnswer>(
    '/image/plans',
    ({ type }) => type.startsWith('schedule-') || type === 'job-created',
  )
  return (
    <>
      <PageHead title={t('plannedRestores.title')} />
      {may('operate') && (
        <ResourceView resource={images}>
          {({ images: list }) =>
            list.length === 0 ? (
              <p class="card empty-state">{t('images.none')}</p>
            ) : (
              <RestoreForm images={list} onPlanned={() => void plans.reload()} />
            )
          }
        </ResourceView>
      )}
      <h2 class="planned-head">{t('plannedRestores.planned')}</h2>
      <ResourceView resource={plans}>
        {({ plans: list }) => <PlannedList plans={list} onChange={() => void plans.reload()} />}
      </ResourceView>
    </>
  )
}
