// When a command reaches computers that cannot take it now: options of commands that are sent to agents.
import { t } from '../language/translate.ts'
import { Check, Select } from '../parts/fields.tsx'

export interface Delivery {
  isQueued: boolean
  /** '' for the limit of the daemon. */
  amount: string
  unit: keyof typeof unitSeconds
  wakes: boolean
}

const unitSeconds = { minutes: 60, hours: 3600, days: 86_400 }

export const noDelivery: Delivery = { isQueued: false, amount: '', unit: 'hours', wakes: false }

/** `?queue=1&expires=3600&wake=1`, '' for a command that is not to wait. */
export function deliveryQuery({ isQueued, amount, unit, wakes }: Delivery): string {
  if (!isQueued) return ''
  const expires = amount === '' ? '' : `&expires=${Math.round(Number(amount) * unitSeconds[unit])}`
  return `?queue=1${expires}${wakes ? '&wake=1' : ''}`
}

export interface DeliveryFieldsProps {
  delivery: Delivery
  change(part: Partial<Delivery>): void
}

export function DeliveryFields({ delivery: { isQueued, amount, unit, wakes }, change }: DeliveryFieldsProps) {
  return (
    <fieldset class="delivery">
      <legend class="hidden-text">{t('delivery.title')}</legend>
      <Check label={t('delivery.queue')} isOn={isQueued} change={isQueued => change({ isQueued })} />
      {isQueued && (
        <div class="delivery-options row">
          <label class="expiry">
            {t('delivery.expires')}
            <input
              type="number"
              min="1"
              max="10000"
              value={amount}
              placeholder="–"
              onInput={event => change({ amount: event.currentTarget.value })}
            />
          </label>
          <Select
            aria-label={t('delivery.unit')}
            value={unit}
            options={(['minutes', 'hours', 'days'] as const).map(each => [each, t(`delivery.${each}`)])}
            change={unit => change({ unit })}
          />
          <Check label={t('delivery.wake')} isOn={wakes} change={wakes => change({ wakes })} />
        </div>
      )}
    </fieldset>
  )
}
