// When a command reaches computers that cannot take it now: options of commands that are sent to agents.
import { t } from '../language/translate.ts'

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
      <label class="check">
        <input type="checkbox" checked={isQueued} onChange={e => change({ isQueued: e.currentTarget.checked })} />
        <span>{t('delivery.queue')}</span>
      </label>
      {isQueued && (
        <div class="delivery-options">
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
          <select
            aria-label={t('delivery.unit')}
            value={unit}
            // `as`: the options are the units.
            onChange={event => change({ unit: event.currentTarget.value as Delivery['unit'] })}
          >
            <option value="minutes">{t('delivery.minutes')}</option>
            <option value="hours">{t('delivery.hours')}</option>
            <option value="days">{t('delivery.days')}</option>
          </select>
          <label class="check">
            <input type="checkbox" checked={wakes} onChange={e => change({ wakes: e.currentTarget.checked })} />
            <span>{t('delivery.wake')}</span>
          </label>
        </div>
      )}
    </fieldset>
  )
}
