// The values of fields that the daemon lists, such as the boot modes.
import type { ImagesAnswer, LiveSystemsAnswer, ModesAnswer } from '../../../contract/answers.ts'
import { useResource } from '../state/resource.ts'

export interface Source {
  path: string
  namesOf(answer: unknown): readonly string[]
}

/** `as`: what the path answers. */
const sources: Readonly<Record<string, Source | undefined>> = {
  'mode.mode': { path: '/mode', namesOf: answer => (answer as ModesAnswer).modes },
  'oglive-set.name': {
    path: '/oglive/list',
    namesOf: answer => (answer as LiveSystemsAnswer).oglive.map(({ directory }) => directory),
  },
  'cache-fetch.name': { path: '/images', namesOf: answer => (answer as ImagesAnswer).images.map(({ name }) => name) },
}

/** By the name of the command and the key of the field. */
export const sourceOf = (command: string, key: string): Source | undefined => sources[`${command}.${key}`]

/** Empty until they are read. */
export function useListedValues({ path, namesOf }: Source): readonly string[] {
  const answer = useResource<unknown>(path).value.value
  return answer === undefined ? [] : [...new Set(namesOf(answer))]
}
