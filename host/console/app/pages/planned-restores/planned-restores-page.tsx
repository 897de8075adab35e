// Restores an image, tonight or now: the form, what it will do, and the restores that are planned.
import type { PlansAnswer } from '../../../../contract/answers.ts'
import { nightly } from '../../actions/restore-draft.ts'
import { RestoreForm } from '../../actions/restore-form.tsx'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'
import { PlannedList } from './planned-list.tsx'

export function PlannedRestoresPage() {
  const plans = useResource<PlansAnswer>(
    '/image/plans',
    ({ type }) => type.startsWith('schedule-') || type === 'job-created',
  )
  return (
    <>
      <PageHead title={t('plannedRestores.planned')} />
      <ResourceView resource={plans}>
        {({ plans: list }) => <PlannedList plans={list} onChange={() => void plans.reload()} />}
      </ResourceView>
      {may('operate') && (
        <>
          <h2>{t('command.image-restore')}</h2>
          <RestoreForm form="restore" first={nightly} onSent={() => void plans.reload()} />
        </>
      )}
    </>
  )
}
