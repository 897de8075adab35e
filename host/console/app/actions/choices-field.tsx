// A field that is a list of known values, such as rooms: a box for each.
import type { GroupsAnswer } from '../../../contract/answers.ts'
import { rowSchema } from '../api/api-document.ts'
import { useResource } from '../state/resource.ts'
import { type FieldProps, type Option, optionsOf, wordsOf } from './field-values.ts'

type ChoicesProps = FieldProps & { label: string; hint: string }

export function ChoicesField(props: ChoicesProps) {
  const items = rowSchema(props.field.schema) ?? {}
  return items.idOf === 'group' ? <GroupChoices {...props} /> : <Choices {...props} options={optionsOf(items)} />
}

function GroupChoices(props: ChoicesProps) {
  const { value } = useResource<GroupsAnswer>('/groups').value
  const options = value?.groups.map(({ id, name }) => ({ value: String(id), label: name }))
  return options ? <Choices {...props} options={options} /> : null
}

/** The value of the field has a line for each value that is chosen. */
function Choices({
  field,
  label: name,
  value,
  onChange,
  hint,
  options,
}: ChoicesProps & { options: readonly Option[] }) {
  const chosen = typeof value === 'string' ? value.split('\n').filter(line => line !== '') : []
  // Such as a room that was deleted.
  const unknown = chosen.filter(each => !options.some(option => option.value === each))
  const toggle = (each: string, isOn: boolean) =>
    onChange([...chosen.filter(other => other !== each), ...(isOn ? [each] : [])].join('\n'))
  return (
    <fieldset class="rows-field">
      <legend>
        {name}
        {field.isRequired && ' *'} {hint && <small class="hint">{hint}</small>}
      </legend>
      <div class="check-list columns boxed scroll">
        {[...options, ...unknown.map(wordsOf)].map(({ value: each, label }) => (
          <label key={each} class="check">
            <input
              type="checkbox"
              name={field.key}
              value={each}
              checked={chosen.includes(each)}
              onChange={event => toggle(each, event.currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
