// What a command has answered at once, such as the last output of each computer.
import { t } from '../language/translate.ts'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

export const CommandAnswer = ({ value, ...props }: Pick<DialogProps, 'title' | 'onClose'> & { value: unknown }) => (
  <Dialog {...props}>
    <pre class="output" role="status">
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
    <footer>
      <Button text={t('action.close')} press={props.onClose} />
    </footer>
  </Dialog>
)
