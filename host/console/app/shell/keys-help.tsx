// Lists the keys of the console: `?`.
import { type MessageKey, t, tryTranslate } from '../language/translate.ts'
import { Dialog } from '../parts/dialog.tsx'

/** `keys`: the words on them, or keys of texts. */
type KeyRow = [keys: string[], what: MessageKey]

const groups: [title: MessageKey, rows: KeyRow[]][] = [
  [
    'keys.anywhere',
    [
      [['/'], 'keys.search'],
      [['Ctrl', 'K'], 'keys.palette'],
      [['G', 'N C J I A P S'], 'keys.places'],
      [['W S R P'], 'keys.commands'],
      [['Ctrl', 'Enter'], 'keys.send'],
      [['U'], 'keys.undo'],
      [['['], 'keys.menu'],
      [['?'], 'keys.help'],
    ],
  ],
  [
    'keys.table',
    [
      [['J', 'K'], 'keys.rows'],
      [['key.space'], 'keys.peek'],
      [['X'], 'keys.selectRow'],
      [['Enter'], 'keys.openRow'],
    ],
  ],
  [
    'keys.map',
    [
      [['key.arrows'], 'keys.arrows'],
      [['Home', 'End'], 'keys.homeEnd'],
      [['key.space'], 'keys.peek'],
      [['X'], 'keys.toggle'],
      [['Shift', 'key.arrows'], 'keys.extend'],
      [['Ctrl', 'A'], 'keys.all'],
      [['Esc'], 'keys.clear'],
      [['Enter'], 'keys.open'],
      [['Shift', 'F10'], 'keys.tileMenu'],
    ],
  ],
  [
    'keys.mouse',
    [
      [['key.click'], 'keys.click'],
      [['Ctrl', 'key.click'], 'keys.ctrlClick'],
      [['Shift', 'key.click'], 'keys.shiftClick'],
      [['key.drag'], 'keys.drag'],
      [['key.doubleClick'], 'keys.open'],
      [['key.rightClick'], 'keys.tileMenu'],
    ],
  ],
  [
    'keys.arranging',
    [
      [['key.arrows'], 'keys.moveSeat'],
      [['key.delete'], 'keys.removeSeat'],
    ],
  ],
]

export function KeysHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t('keys.title')} size="wide" onClose={onClose}>
      <div class="keys-help columns two">
        {groups.map(([title, rows]) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>
              {rows.map(([keys, what]) => (
                <div key={what}>
                  <dt>
                    {keys.map(key => (
                      <kbd key={key}>{tryTranslate(key) ?? key}</kbd>
                    ))}
                  </dt>
                  <dd>{t(what)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
