// Scripts of the library, and those that were run last, in the form of a script.
import type { ScriptAnswer, ScriptsAnswer } from '../../../contract/answers.ts'
import type { Field } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { scriptLine } from '../parts/script-line.ts'
import { choice, commandOf } from '../state/commands.ts'
import { keptList } from '../state/kept-list.ts'
import { useResource } from '../state/resource.ts'
import type { FieldValue, OwnFieldsProps } from './field-values.ts'
import { FormFields } from './form-fields.tsx'

const last = keptList('scripts', entry => typeof entry === 'string')
const keptScripts = 5

export function keepScript(script: string): void {
  last.keep([script, ...last.list.peek().filter(other => other !== script)].slice(0, keptScripts))
}

export function ScriptFields({ change }: OwnFieldsProps) {
  const scripts = last.list.value
  return (
    <>
      {commandOf('script-run') && <LibraryChoice />}
      {scripts.length > 0 && (
        <label class="field">
          <span>{t('script.last')}</span>
          <select value="" onChange={event => change('run', event.currentTarget.value)}>
            <option value="">{t('command.choose')}</option>
            {scripts.map(script => (
              <option value={script} key={script}>
                {scriptLine(script)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

/** The form of a script of the library, for the same computers. */
function openScript(script: string): void {
  const command = commandOf('script-run')
  const chosen = choice.peek()
  if (command && chosen) choice.value = { ...chosen, command, first: { script, values: '' } }
}

const useScripts = (): readonly ScriptAnswer[] => useResource<ScriptsAnswer>('/scripts').value.value?.scripts ?? []

const LibraryChoice = () => <ScriptSelect scripts={useScripts()} value="" choose={openScript} />

interface SelectProps {
  scripts: readonly ScriptAnswer[]
  value: string
  choose(script: string): void
}

function ScriptSelect({ scripts, value, choose }: SelectProps) {
  return (
    <label class="field">
      <span>{t('script.library')}</span>
      <select value={value} required={value !== ''} onChange={event => choose(event.currentTarget.value)}>
        <option value="">{t('command.choose')}</option>
        {scripts.map(({ script, description }) => (
          <option value={script} key={script}>
            {[script, description].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A script of the library, with a field for each of its parameters. */
export function LibraryFields({ values, change }: OwnFieldsProps) {
  const scripts = useScripts()
  const chosen = scripts.find(({ script }) => script === values.script)
  const texts: Record<string, FieldValue> = JSON.parse(String(values.values || '{}'))
  const choose = (script: string) => {
    change('script', script)
    change('values', '')
  }
  const set = (key: string, value: FieldValue) => {
    const { [key]: _, ...others } = texts
    change('values', JSON.stringify(value === '' ? others : { ...others, [key]: value }))
  }
  return (
    <>
      <ScriptSelect scripts={scripts} value={String(values.script ?? '')} choose={choose} />
      <FormFields fields={chosen?.parameters.map(fieldOf) ?? []} values={texts} onChange={set} />
    </>
  )
}

function fieldOf({ name, type, choices, default: first, description }: ScriptAnswer['parameters'][number]): Field {
  const schema = {
    type: type === 'text' ? 'string' : type,
    ...(choices && { enum: choices }),
    ...(description && { description }),
  }
  return { key: name, schema, isRequired: first === undefined, example: first }
}
