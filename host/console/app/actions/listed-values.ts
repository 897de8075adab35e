// The values of fields that the daemon lists, such as the boot modes.
import type { ImagesAnswer, LiveSystemsAnswer, ModesAnswer } from '../../../contract/answers.ts'
import { useResource } from '../state/resource.ts'

export interface Source {
  path: string
  namesOf(answer: unknown): readonly string[]
}

const source = <Answer>(path: string, namesOf: (answer: Answer) => readonly string[]): Source => ({
  path,
  namesOf: answer => namesOf(answer as Answer), // `as`: what the path answers
})

const sources: Readonly<Record<string, Source | undefined>> = {
  'mode.mode': source<ModesAnswer>('/mode', ({ modes }) => modes),
  'oglive-set.name': source<LiveSystemsAnswer>('/oglive/list', ({ oglive }) => oglive.map(each => each.directory)),
  'cache-fetch.name': source<ImagesAnswer>('/images', ({ images }) => images.map(({ name }) => name)),
}

/** By the name of the command and the key of the field. */
export const sourceOf = (command: string, key: string): Source | undefined => sources[`${command}.${key}`]

/** Empty until they are read. */
export function useListedValues({ path, namesOf }: Source): readonly string[] {
  const answer = useResource<unknown>(path).value.value
  return answer === undefined ? [] : [...new Set(namesOf(answer))]
}
