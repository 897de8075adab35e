// What the form of a restore holds, and the payload that it stands for.
import type { ImageAnswer } from '../../../contract/answers.ts'
import { addressesIn, type ComputerSet } from '../parts/computer-choice.tsx'
import { isBatch, optionsOf, type RunOptionsDraft } from '../parts/run-options.tsx'
import { type Place, placeOf } from '../state/partition-systems.ts'

export interface RestoreDraft extends RunOptionsDraft {
  image: string
  computers: ComputerSet
  /** Undefined: where the image was made. */
  place: Place | undefined
  /** At once, at the next such time, or at that time of a day. */
  when: 'now' | 'next' | 'day'
  /** `22:00`. */
  at: string
  /** `2026-11-30`. */
  on: string
}

export const nightly: RestoreDraft = {
  image: '',
  computers: { type: 'list', clients: [] },
  place: undefined,
  when: 'next',
  at: '22:00',
  on: '',
  until: '06:30',
  batch: '',
  lastStep: 'poweroff',
  thenAfter: 'success',
  wake: true,
  whenIdle: true,
}

/** For what is selected. */
export const firstSelection: RestoreDraft = { ...nightly, when: 'now', until: '', lastStep: '' }

const isNumber = (text: string) => /^[1-9]\d{0,3}$/.test(text)

/** The draft with the image and the place that are proposed; '' for a place that is not known. */
export interface CompleteDraft extends RestoreDraft {
  place: Place
  /** Where the image was made. */
  origin: Place
  clients: readonly string[]
}

export function completeDraft(typed: RestoreDraft, images: readonly ImageAnswer[]): CompleteDraft {
  const isNamed = ({ name, versions }: ImageAnswer) =>
    name === typed.image || versions.some(version => version.name === typed.image)
  const chosen = images.find(isNamed)
  const origin = placeOf(chosen ?? images[0] ?? {})
  const image = chosen ? typed.image : (images[0]?.name ?? '')
  return { ...typed, image, origin, place: typed.place ?? origin, clients: addressesIn(typed.computers) }
}

/** Undefined while something is missing. */
export function payloadOf(restore: CompleteDraft): object | undefined {
  const { image, clients, place, when, at, on, batch } = restore
  if (image === '' || clients.length === 0 || !isNumber(place.disk) || !isNumber(place.partition)) return undefined
  if ((when !== 'now' && at === '') || (when === 'day' && on === '') || !isBatch(batch)) return undefined
  const start = { ...(when !== 'now' && { at }), ...(when === 'day' && { on }) }
  return { image, clients, ...place, ...optionsOf(restore), ...start }
}
