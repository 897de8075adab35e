// Scripts of the library, and those that were run last, in the form of a script.
import type { ScriptAnswer, ScriptsAnswer } from '../../../contract/answers.ts'
import type { Field } from '../api/api-document.ts'
import { t } from '../language/translate.ts'
import { Choice } from '../parts/fields.tsx'
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
        <Choice
          label={t('script.last')}
          value=""
          options={[['', t('command.choose')], ...scripts.map(script => [script, scriptLine(script)] as const)]}
          change={script => change('run', script)}
        />
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
  const words = ({ script, description }: ScriptAnswer) => [script, description].filter(Boolean).join(' · ')
  return (
    <Choice
      label={t('script.library')}
      value={value}
      options={[['', t('command.choose')], ...scripts.map(each => [each.script, words(each)] as const)]}
      required={value !== ''}
      change={choose}
    />
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
