// What is typed in the form of a command: it is there again after the form was closed without sending.
import { useSignal } from '@preact/signals'
import type { CommandChoice } from '../state/commands.ts'
import { keepOverReload } from '../state/reload.ts'
import { type Delivery, noDelivery } from './delivery-fields.tsx'
import { type FieldValue, type FieldValues, firstValue } from './field-values.ts'
import { ownFormOf } from './own-forms.ts'

interface Typed {
  values: FieldValues
  delivery: Delivery
}

/** By path. */
export const drafts: Map<string, Typed> = new Map(keepOverReload('commands', () => [...drafts]))

/** With what the form begins with. */
export function useTyped({ command: { path, fields, name }, first }: CommandChoice) {
  const typed = drafts.get(path)
  const values = useSignal<FieldValues>({
    ...(typed?.values ?? {
      ...Object.fromEntries(fields.map(field => [field.key, firstValue(field)])),
      ...ownFormOf(name).first,
    }),
    ...first,
  })
  const delivery = useSignal<Delivery>(typed?.delivery ?? noDelivery)
  const keep = () => drafts.set(path, { values: values.value, delivery: delivery.value })
  const change = (key: string, value: FieldValue) => {
    values.value = { ...values.value, [key]: value }
    keep()
  }
  const deliver = (part: Partial<Delivery>) => {
    delivery.value = { ...delivery.value, ...part }
    keep()
  }
  return { values, delivery, change, deliver }
}
