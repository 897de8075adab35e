// Chooses when a schedule fires, with native controls; the sentence below them says what the masks mean.
import {
  bitsOf,
  dateOf,
  firstYear,
  full,
  hasBit,
  kindOf,
  kinds,
  type MaskKey,
  nameOfBit,
  type RecurrenceKind,
  timesOf,
  toggleBit,
  type When,
  withDate,
  withKind,
  withTime,
} from '../../../../contract/recurrence-words.ts'
import { locale, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { Choice, TextField } from '../../parts/fields.tsx'
import { inWords } from './schedule-words.ts'

export interface RecurrenceFieldsProps {
  when: When
  /** Undefined: as the masks are. */
  kind: RecurrenceKind | undefined
  onChange(when: When, kind: RecurrenceKind): void
}

const shownMasks: Record<RecurrenceKind, readonly MaskKey[]> = {
  once: [],
  daily: [],
  weekly: ['week_days'],
  monthly: ['days'],
  weeks: ['weeks'],
  mixed: ['week_days', 'days', 'weeks'],
}

export function RecurrenceFields({ when, kind = kindOf(when), onChange }: RecurrenceFieldsProps) {
  const change = (next: When) => onChange(next, kind)
  return (
    <fieldset class="group stack">
      <legend>{t('field.when')}</legend>
      <div class="row fields">
        <Choice
          label={t('schedules.repeat')}
          value={kind}
          options={kinds.map(each => [each, t(`schedules.kind.${each}`)])}
          change={next => onChange(withKind(when, next, new Date()), next)}
        />
        {kind === 'once' && (
          <TextField
            label={t('images.date')}
            type="date"
            required
            min={`${firstYear}-01-01`}
            max={`${firstYear + 31}-12-31`}
            value={dateOf(when)}
            change={date => change(withDate(when, date))}
          />
        )}
        <TimeField when={when} change={change} />
      </div>
      {shownMasks[kind].map(mask => (
        <BitChoice key={mask} mask={mask} when={when} change={change} />
      ))}
      {kind !== 'once' && <Seasons when={when} change={change} />}
      <output class="banner">{inWords(when)}</output>
      <small class="hint">{t('schedules.serverTime')}</small>
    </fieldset>
  )
}

interface MaskProps {
  when: When
  change(when: When): void
}

/** Several times of one day come from other programs: they are kept until one time is chosen. */
function TimeField({ when, change }: MaskProps) {
  const times = timesOf(when)
  if (times.length > 1) {
    return (
      <div class="field">
        <span>{t('schedules.times')}</span>
        <span class="row fields">
          {times.join(', ')}
          <Button text={t('schedules.oneTime')} press={() => change(withTime(when, times[0] ?? ''))} />
        </span>
      </div>
    )
  }
  return (
    <TextField
      label={t('schedules.time')}
      type="time"
      required
      value={times[0] ?? ''}
      change={time => change(withTime(when, time))}
    />
  )
}

/** Months and years, closed while all are chosen. */
function Seasons({ when, change }: MaskProps) {
  const isLimited = (when.months & full.months) !== full.months || when.years !== full.years
  return (
    <details open={isLimited}>
      <summary>{t('schedules.seasons')}</summary>
      <BitChoice mask="months" when={when} change={change} />
      <BitChoice mask="years" when={when} change={change} />
    </details>
  )
}

/** Monday to Friday. */
const workingDays = 0b11111

/** How many values each mask offers. */
const lengths: Record<MaskKey, number> = { week_days: 7, days: 31, weeks: 6, months: 12, years: 32, hours: 12 }

function BitChoice({ mask, when, change }: MaskProps & { mask: MaskKey }) {
  const words = { t, language: locale.value }
  const thisYear = new Date().getFullYear()
  const isAll = bitsOf(mask, when[mask]).length === lengths[mask]
  // Years that have passed are shown when only some are chosen.
  const indexes = Array.from({ length: lengths[mask] }, (_, index) => index).filter(
    index => mask !== 'years' || firstYear + index >= thisYear || (!isAll && hasBit(when.years, index)),
  )
  return (
    <fieldset class={`row bits ${mask}`}>
      <legend>{t(`schedules.mask.${mask}`)}</legend>
      {(mask === 'months' || mask === 'years') && (
        <label class="chip tab">
          <input type="checkbox" checked={isAll} onChange={() => change({ ...when, [mask]: isAll ? 0 : full[mask] })} />
          {t('schedules.all')}
        </label>
      )}
      {mask === 'week_days' && (
        <Button press={() => change({ ...when, week_days: workingDays })}>
          {nameOfBit(mask, 0, words)}–{nameOfBit(mask, 4, words)}
        </Button>
      )}
      {indexes.map(index => (
        <label class="chip tab" key={index}>
          <input
            type="checkbox"
            checked={hasBit(when[mask], index)}
            onChange={() => change({ ...when, [mask]: toggleBit(when[mask], index) })}
          />
          {mask === 'days' ? index + 1 : nameOfBit(mask, index, words)}
        </label>
      ))}
    </fieldset>
  )
}
