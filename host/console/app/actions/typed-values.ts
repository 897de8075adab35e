// What is typed in a form that is made from a schema: it is there again after it was closed without sending.
import { useMemo } from 'preact/hooks'
import type { CommandInfo, Field } from '../api/api-document.ts'
import type { CommandChoice } from '../state/commands.ts'
import { useDraft } from '../state/drafts.ts'
import { type Delivery, noDelivery } from './delivery-fields.tsx'
import { type FieldValue, type FieldValues, firstValue, kindOf } from './field-values.ts'
import { ownFormOf } from './own-forms.ts'

interface Typed {
  values: FieldValues
  delivery: Delivery
}

/** With what the form begins with. Secrets are not kept. */
export function useValues(form: string, fields: readonly Field[], first: FieldValues) {
  const isSecret = (key: string) => fields.some(field => field.key === key && kindOf(field) === 'secret')
  const { draft, change } = useDraft<Typed>(form, { values: first, delivery: noDelivery }, ({ values, delivery }) => ({
    values: { ...first, ...Object.fromEntries(Object.entries(values).filter(([key]) => !isSecret(key))) },
    delivery,
  }))
  return {
    draft,
    change: (key: string, value: FieldValue) => change({ values: { ...draft.value.values, [key]: value } }),
    deliver: (part: Partial<Delivery>) => change({ delivery: { ...draft.value.delivery, ...part } }),
  }
}

export function useTyped({ path, fields, name }: CommandInfo, first: CommandChoice['first']) {
  const values = Object.fromEntries(fields.map(field => [field.key, firstValue(field)]))
  const typed = useValues(path, fields, { ...values, ...ownFormOf(name).first, ...first })
  const { draft } = typed
  useMemo(() => {
    if (first) draft.value = { ...draft.peek(), values: { ...draft.peek().values, ...first } }
  }, [])
  return typed
}
