// The selected computers that the page does not show, by room: each can be deselected.
import { useSignal } from '@preact/signals'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { ComputerList } from '../parts/computer-choice.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { viewOf } from '../state/lab.ts'
import { hiddenSelected, select } from '../state/selection.ts'
import { selectedWords } from './action-bar.tsx'

export function HiddenSelection() {
  // Those that are deselected stay in the list: they can be selected again.
  const listed = useSignal<readonly string[] | undefined>(undefined)
  const hidden = hiddenSelected.value.map(({ ip }) => ip)
  const of = listed.value
  const change = (ips: readonly string[], isOn: boolean) =>
    select(
      ips.flatMap(ip => viewOf(ip) ?? []),
      isOn ? 'add' : 'remove',
    )
  return (
    <>
      {hidden.length > 0 && <Button text={t('action.show')} press={() => (listed.value = hidden)} />}
      {of && (
        <Dialog title={selectedWords()} onClose={() => (listed.value = undefined)}>
          <ComputerList clients={hidden} of={of} change={change} />
          <footer>
            <Button text={t('rooms.deselectHidden')} press={() => change(of, false)} />
          </footer>
        </Dialog>
      )}
    </>
  )
}
