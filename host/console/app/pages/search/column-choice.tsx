// Which columns the list of what a search finds has: chosen by the user, and kept in the browser.
import { t } from '../../language/translate.ts'
import { Check, TextField } from '../../parts/fields.tsx'
import { type ColumnName, chosenColumns, columnNames, columnTitle, isColumn, keepColumns } from './found-columns.ts'

export function ColumnChoice() {
  const chosen = chosenColumns.value
  const ofPrograms = chosen.filter(name => !columnNames.includes(name))
  const change = (name: ColumnName, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(name)
    else next.delete(name)
    keepColumns([...columnNames, ...next].filter((each, at, all) => next.has(each) && all.indexOf(each) === at))
  }
  return (
    <details class="column-choice">
      <summary>{t('search.columns')}</summary>
      <div class="check-list boxed scroll">
        {[...columnNames, ...ofPrograms].map(name => (
          <Check
            key={name}
            label={columnTitle(name)}
            isOn={chosen.includes(name)}
            change={isOn => change(name, isOn)}
          />
        ))}
      </div>
      <form
        class="row fields"
        onSubmit={event => {
          event.preventDefault()
          const name = `software:${String(new FormData(event.currentTarget).get('program')).trim()}`
          if (isColumn(name)) change(name, true)
          event.currentTarget.reset()
        }}
      >
        <TextField label={t('search.program')} name="program" required pattern="[^,]*[^,\s][^,]*" maxLength={64} />
        <button type="submit">{t('records.add')}</button>
      </form>
    </details>
  )
}
