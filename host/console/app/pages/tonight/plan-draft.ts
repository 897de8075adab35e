// What the form of a restore holds, and the payload that it stands for.
import { signal } from '@preact/signals'

export interface PlanDraft {
  image: string
  rooms: readonly number[]
  disk: string
  partition: string
  isNow: boolean
  /** `22:00`. */
  at: string
  /** '' for no end. */
  until: string
  /** '' for no limit. */
  batch: string
  lastStep: '' | 'poweroff' | 'session'
  wake: boolean
  whenIdle: boolean
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
  const { image, rooms, disk, partition, isNow, at, until, batch, lastStep, wake, whenIdle } = plan
  if (image === '' || rooms.length === 0 || !isNumber(disk) || !isNumber(partition)) return undefined
  if ((!isNow && at === '') || (batch !== '' && !isNumber(batch))) return undefined
  const then = lastStep || undefined
  return {
    image,
    rooms,
    disk,
    partition,
    wake,
    when_idle: whenIdle,
    ...(!isNow && { at }),
    ...(until !== '' && { until }),
    ...(batch !== '' && { batch: Number(batch) }),
    ...(then && { then }),
  }
}
