// What the form of a restore holds, and the payload that it stands for.
import { signal } from '@preact/signals'
import type { ImageAnswer } from '../../../../contract/answers.ts'
import { isBatch, optionsOf, type RunOptionsDraft } from '../../parts/run-options.tsx'

export interface RestoreDraft extends RunOptionsDraft {
  image: string
  rooms: readonly number[]
  /** Undefined: where the image was made. */
  disk: string | undefined
  partition: string | undefined
  isNow: boolean
  /** `22:00`. */
  at: string
}

/** Kept while the user looks at other pages. */
export const draft = signal<RestoreDraft>({
  image: '',
  rooms: [],
  disk: undefined,
  partition: undefined,
  isNow: false,
  at: '22:00',
  until: '06:30',
  batch: '',
  lastStep: 'poweroff',
  thenAfter: 'success',
  wake: true,
  whenIdle: true,
})

export function changeDraft(part: Partial<RestoreDraft>): void {
  draft.value = { ...draft.peek(), ...part }
}

const isNumber = (text: string) => /^[1-9]\d{0,3}$/.test(text)

/** The draft with the place of the image where none was typed: '' when that is not known. */
export type CompleteDraft = RestoreDraft & { disk: string; partition: string }

export function completeDraft(images: readonly ImageAnswer[]): CompleteDraft {
  const typed = draft.value
  const isNamed = ({ name, versions }: ImageAnswer) =>
    name === typed.image || versions.some(version => version.name === typed.image)
  const chosen = images.find(isNamed)
  const image = chosen ?? images[0]
  const { disk = image?.disk?.toString() ?? '', partition = image?.partition?.toString() ?? '' } = typed
  return { ...typed, image: chosen ? typed.image : (image?.name ?? ''), disk, partition }
}

/** Undefined while something is missing. */
export function payloadOf(restore: CompleteDraft): object | undefined {
  const { image, rooms, disk, partition, isNow, at, batch } = restore
  if (image === '' || rooms.length === 0 || !isNumber(disk) || !isNumber(partition)) return undefined
  if ((!isNow && at === '') || !isBatch(batch)) return undefined
  return { image, rooms, disk, partition, ...optionsOf(restore), ...(!isNow && { at }) }
}
