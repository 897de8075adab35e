// The fields of a step that is a command: the form of the command's schema, or its parameters as JSON.
import { FormFields } from '../../actions/form-fields.tsx'
import { t } from '../../language/translate.ts'
import { groupBy } from '../../parts/group-by.ts'
import { commandOf, groupLabel, labelOf } from '../../state/commands.ts'
import { type CommandDraft, stepCommands } from './step-drafts.ts'

export interface CommandStepProps {
  draft: CommandDraft
  onChange(draft: CommandDraft): void
}

export function CommandStepFields({ draft, onChange }: CommandStepProps) {
  const { command, json, values } = draft
  const fields = commandOf(command)?.fields ?? []
  if (json !== undefined) {
    return (
      <label class="field">
        <span>{t('steps.params')}</span>
        <textarea
          rows={4}
          spellcheck={false}
          value={json}
          onInput={event => onChange({ ...draft, json: event.currentTarget.value })}
        />
        <small class="hint">{t('steps.paramsHint')}</small>
      </label>
    )
  }
  return (
    <FormFields
      command={command}
      // What is proposed, such as an id, is nothing for people.
      fields={fields.filter(({ schema }) => schema.proposed === undefined)}
      values={values}
      onChange={(key, value) => onChange({ ...draft, values: { ...values, [key]: value } })}
    />
  )
}

/** The options of a `<select>`, by group. */
export function CommandOptions() {
  const groups = groupBy(stepCommands(), ({ group }) => group)
  return (
    <>
      {[...groups].map(([group, list]) => (
        <optgroup label={groupLabel(group)} key={group}>
          {list.map(command => (
            <option value={`command:${command.name}`} key={command.name}>
              {labelOf(command)}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  )
}
