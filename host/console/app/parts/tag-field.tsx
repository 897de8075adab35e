// Tags: shown as links to what has them, and edited in forms with completion from those that there are.
import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { linkToSearch } from '../state/searches.ts'
import { useFieldValues } from '../state/suggestions.ts'
import { Button } from './button.tsx'
import { Combobox } from './combobox.tsx'

export function TagList({ tags }: { tags: readonly string[] }) {
  return (
    <ul class="row" aria-label={t('tags.title')}>
      {tags.map(tag => (
        <li class="chip" key={tag}>
          <a href={linkToSearch(`tag:${tag}`)}>{tag}</a>
        </li>
      ))}
    </ul>
  )
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** What the field `tags` of a form has. */
export const tagsIn = (data: FormData): string[] => wordsOf(String(data.get('tags') ?? ''))

/** A list of tags with a field for more; the form has them as `tags`, with those that are typed but not yet in the list. */
export function TagField({ first }: { first: readonly string[] }) {
  const tags = useSignal(first)
  const typed = useSignal('')
  const hidden = useRef<HTMLInputElement>(null)
  // As a control in which somebody types: what was typed in a form is kept.
  useLayoutEffect(() => {
    if (tags.value !== first) hidden.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [tags.value])
  const all = () => [...tags.value, typed.value].join(' ')
  const add = (text: string) => {
    tags.value = [...new Set([...tags.peek(), ...wordsOf(text)])]
    typed.value = ''
  }
  return (
    <fieldset class="group stack">
      <legend>{t('tags.title')}</legend>
      <input
        type="hidden"
        name="tags"
        ref={hidden}
        value={all()}
        onInput={({ currentTarget: { value } }) => {
          if (value !== all()) tags.value = wordsOf(value)
        }}
      />
      {tags.value.length > 0 && (
        <ul class="row">
          {tags.value.map(tag => (
            <li class="chip" key={tag}>
              {tag}
              <Button
                text="×"
                class="plain icon"
                aria-label={t('tags.remove', { tag })}
                press={() => (tags.value = tags.value.filter(each => each !== tag))}
              />
            </li>
          ))}
        </ul>
      )}
      <TagInput label={t('tags.add')} typed={typed} take={add} />
      <small class="hint">{t('tags.hint')}</small>
    </fieldset>
  )
}

export interface TagInputProps {
  label: string
  typed: Signal<string>
  /** Gets a tag that was chosen or typed. */
  take(tag: string): void
}

export function TagInput({ label, typed, take }: TagInputProps) {
  const place = useComputed(() => ({ field: 'tag', typed: typed.value.trim() }))
  const valuesOf = useFieldValues(place)
  const optionsOf = () =>
    valuesOf().map(tag => ({
      key: tag,
      name: tag,
      note: '',
      pick() {
        take(tag)
        return undefined
      },
    }))
  return (
    <Combobox id="tag-field" label={label} typed={typed} optionsOf={optionsOf} onSubmit={() => take(typed.value)} />
  )
}
