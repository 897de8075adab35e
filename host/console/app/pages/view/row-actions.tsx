// A button for each action of a row of a view.
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { report } from '../../state/notices.ts'
import { type Action, type ChosenAction, pathOf } from './action-form.tsx'
import { type Column, cellText, plainText, type Row } from './view-rows.tsx'

interface RowActionsProps {
  row: Row
  columns: readonly Column[]
  actions: readonly Action[]
  reload(): Promise<void>
  /** An action that has a form. */
  onChoose(chosen: ChosenAction): void
}

export function RowActions({ row, columns: [first], actions, reload, onChoose }: RowActionsProps) {
  const name = first ? cellText(row[first.key], first) : ''
  return (
    <>
      {actions.map(action => (
        <Button
          key={action.title}
          text={action.title}
          of={name}
          press={() => {
            const chosen = { action, payload: payloadOf(action, row), name, row }
            return action.form ? onChoose(chosen) : send(chosen, reload)
          }}
        />
      ))}
    </>
  )
}

function payloadOf({ payload, row_keys }: Action, row: Row) {
  // A request names its computers in a list.
  const cellOf = (key: string) => (key === 'clients' ? [plainText(row[key])] : row[key])
  return { ...payload, ...Object.fromEntries(row_keys.map(key => [key, cellOf(key)])) }
}

async function send({ action, payload, name }: ChosenAction, reload: () => Promise<void>) {
  const { title, destructive } = action
  if (destructive && !(await confirmed(title, t('views.confirm', { action: title, name }), title))) return
  const reply = await post(pathOf(action), payload)
  report(reply, t('views.done', { action: title, name }))
  await reload()
}
