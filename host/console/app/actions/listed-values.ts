// The values of fields that the daemon lists, such as the boot modes.
import type { ImagesAnswer, LiveSystemsAnswer, ModesAnswer } from '../../../contract/answers.ts'
import { useResource } from '../state/resource.ts'
import { type Option, wordsOf } from './field-values.ts'

export interface Source {
  path: string
  optionsOf(answer: unknown): readonly Option[]
}

const source = <Answer>(path: string, optionsOf: (answer: Answer) => readonly Option[]): Source => ({
  path,
  optionsOf: answer => optionsOf(answer as Answer), // `as`: what the path answers
})

/** `First disk · 10`, as their templates say; of `00own`, which says nothing, `own · 00own`. */
export const bootModes = source<ModesAnswer>('/mode?descriptions=1', ({ modes, descriptions = [] }) =>
  modes.map(value => {
    const words = descriptions.find(({ mode }) => mode === value)?.description ?? value.replace(/^\d+(?=\D)/, '')
    const [name = ''] = words.split(/[,;:.]/)
    return { value, label: name === value ? value : `${name} · ${value}` }
  }),
)

const sources: Readonly<Record<string, Source | undefined>> = {
  'mode.mode': bootModes,
  'oglive-set.name': source<LiveSystemsAnswer>('/oglive/list', ({ oglive }) =>
    oglive.map(({ directory }) => wordsOf(directory)),
  ),
  'cache-fetch.name': source<ImagesAnswer>('/images', ({ images }) => images.map(({ name }) => wordsOf(name))),
}

/** By the name of the command and the key of the field. */
export const sourceOf = (command: string, key: string): Source | undefined => sources[`${command}.${key}`]

/** Empty until they are read. */
export function useListedValues({ path, optionsOf }: Source): readonly Option[] {
  const answer = useResource<unknown>(path).value.value
  return answer === undefined ? [] : [...new Map(optionsOf(answer).map(option => [option.value, option])).values()]
}
