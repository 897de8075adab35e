// What the form of a restore holds, and the payload that it stands for.
import { signal } from '@preact/signals'
import { isBatch, optionsOf, type RunOptionsDraft } from '../../parts/run-options.tsx'

export interface PlanDraft extends RunOptionsDraft {
  image: string
  rooms: readonly number[]
  disk: string
  partition: string
  isNow: boolean
  /** `22:00`. */
  at: string
}

/** Kept while the user looks at other pages. */
export const draft = signal<PlanDraft>({
  image: '',
  rooms: [],
  disk: '1',
  partition: '1',
  isNow: false,
  at: '22:00',
  until: '06:30',
  batch: '',
  lastStep: 'poweroff',
  wake: true,
  whenIdle: true,
})

export function changeDraft(part: Partial<PlanDraft>): void {
  draft.value = { ...draft.peek(), ...part }
}

const isNumber = (text: string) => /^[1-9]\d{0,3}$/.test(text)

/** Undefined while something is missing. */
export function payloadOf(plan: PlanDraft): object | undefined {
  const { image, rooms, disk, partition, isNow, at, batch } = plan
  if (image === '' || rooms.length === 0 || !isNumber(disk) || !isNumber(partition)) return undefined
  if ((!isNow && at === '') || !isBatch(batch)) return undefined
  return { image, rooms, disk, partition, ...optionsOf(plan), ...(!isNow && { at }) }
}
