// What has been deleted, changed and imported and can be taken back.
import type { UndoAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { changeTitle } from '../../parts/change-words.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { type Change, changeWords } from '../../parts/value-words.ts'
import { ofRecords, useResource } from '../../state/resource.ts'
import { changeQuery, route } from '../../state/route.ts'
import { undo } from '../../state/undo.ts'

export function UndoPage() {
  const list = useResource<UndoAnswer>('/undo', ofRecords)
  const takeBack = async (id: number) => {
    const isDone = await undo(id)
    // The audit log has led to this one alone: what is left is shown, with what takes the undo back.
    if (isDone && route.peek().query.get('q') === `#${id}`) changeQuery({ q: '' })
    await list.reload()
  }
  const columns: Column<Change>[] = [
    { id: 'id', head: t('jobs.id'), text: ({ id }) => `#${id}`, value: ({ id }) => id },
    { id: 'at', head: t('field.when'), text: ({ at }) => formatTime(at), value: ({ at }) => at },
    { id: 'what', head: t('undo.what'), width: 44, text: changeTitle },
    { id: 'values', head: t('undo.values'), text: changeWords },
    { id: 'by', head: t('accounts.by'), text: ({ by }) => by },
    { id: 'until', head: t('undo.until'), text: ({ expires }) => formatTime(expires), value: ({ expires }) => expires },
    {
      id: 'action',
      head: t('undo.action'),
      cell: change => <Button text={t('undo.action')} of={changeTitle(change)} press={() => takeBack(change.id)} />,
    },
  ]
  return (
    <>
      <PageHead title={t('undo.title')} />
      <p class="hint">{t('undo.hint')}</p>
      <ResourceView resource={list}>
        {({ changes }) => (
          <section class="card">
            <DataTable
              label={t('undo.title')}
              rows={changes}
              keyOf={({ id }) => String(id)}
              columns={columns}
              empty={t('undo.none')}
              csvName="undo"
            />
          </section>
        )}
      </ResourceView>
    </>
  )
}
