// What a command has answered at once, such as the last output of each computer.
import { t } from '../language/translate.ts'
import { Dialog, type DialogProps } from './dialog.tsx'

export const CommandAnswer = ({ value, ...props }: Pick<DialogProps, 'title' | 'onClose'> & { value: unknown }) => (
  <Dialog {...props}>
    <pre class="command-answer" role="status">
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
    <footer>
      <button type="button" onClick={props.onClose}>
        {t('action.close')}
      </button>
    </footer>
  </Dialog>
)
