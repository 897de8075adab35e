// The form of a restore in rooms, with its preview next to it.
import { useSignal } from '@preact/signals'
import type { ImageAnswer } from '../../api/inventory-answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Check } from '../../parts/computer-choice.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { LimitFields, WakeFields } from '../../parts/run-options.tsx'
import { centers } from '../../state/fleet.ts'
import { report } from '../../state/notices.ts'
import { goTo } from '../../state/route.ts'
import { changeDraft, draft, type PlanDraft, payloadOf } from './plan-draft.ts'
import { PlanPreview, usePreview } from './plan-preview.tsx'

export function PlanForm({ images, onPlanned }: { images: readonly ImageAnswer[]; onPlanned(): void }) {
  const names = images.flatMap(({ name, versions }) => [name, ...versions.map(version => version.name)])
  const plan = { ...draft.value, image: names.includes(draft.value.image) ? draft.value.image : (names[0] ?? '') }
  const payload = payloadOf(plan)
  const preview = usePreview(payload)
  const isBusy = useSignal(false)
  const submit = async () => {
    const computers = preview.value.value?.computers
    if (!payload || !computers) return
    const text = t('tonight.question', { image: plan.image, disk: plan.disk, partition: plan.partition, n: computers })
    if (!(await confirmed(t('tonight.title'), text, t(plan.isNow ? 'tonight.start' : 'tonight.plan')))) return
    isBusy.value = true
    const reply = await post('/image/plan', payload)
    isBusy.value = false
    if (!report(reply, plan.isNow ? undefined : t('tonight.isPlanned'))) return
    if (reply.job !== undefined) goTo('job', reply.job)
    else onPlanned()
  }
  return (
    <div class="tonight">
      <form
        class="card form"
        aria-label={t('tonight.title')}
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <WhatFields plan={plan} names={names} />
        <RoomFields chosen={plan.rooms} />
        <WhenFields plan={plan} />
        <footer>
          <button type="submit" class="primary" disabled={isBusy.value || !payload || !preview.value.value}>
            {t(plan.isNow ? 'tonight.start' : 'tonight.plan')}
          </button>
        </footer>
      </form>
      <PlanPreview preview={preview} isComplete={payload !== undefined} />
    </div>
  )
}

interface FieldProps {
  label: string
  name: keyof PlanDraft
  value: string
  type: 'number' | 'time'
  isRequired?: boolean
  hint?: string
}

function Field({ label, name, value, type, isRequired = false, hint }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type={type}
        required={isRequired}
        value={value}
        {...(type === 'number' && { min: 1, max: 9999 })}
        onInput={event => changeDraft({ [name]: event.currentTarget.value })}
      />
      {hint && <small class="hint">{hint}</small>}
    </label>
  )
}

function WhatFields({ plan, names }: { plan: PlanDraft; names: readonly string[] }) {
  return (
    <div class="when-line">
      <label class="field">
        <span>{t('tonight.image')}</span>
        <select value={plan.image} onChange={event => changeDraft({ image: event.currentTarget.value })}>
          {names.map(name => (
            <option value={name} key={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Field label={t('tonight.disk')} name="disk" value={plan.disk} type="number" isRequired />
      <Field label={t('tonight.partition')} name="partition" value={plan.partition} type="number" isRequired />
    </div>
  )
}

function RoomFields({ chosen }: { chosen: readonly number[] }) {
  const change = (ids: readonly number[], isOn: boolean) => {
    const others = chosen.filter(id => !ids.includes(id))
    changeDraft({ rooms: isOn ? [...others, ...ids] : others })
  }
  return (
    <fieldset class="group">
      <legend>{t('tonight.rooms')}</legend>
      <div class="check-list">
        {centers.value.map(center => {
          const ids = center.rooms.map(({ id }) => id)
          return (
            <fieldset key={center.id}>
              <legend>
                <Check
                  label={center.name}
                  isOn={ids.length > 0 && ids.every(id => chosen.includes(id))}
                  change={isOn => change(ids, isOn)}
                />
              </legend>
              {center.rooms.map(({ id, name }) => (
                <Check key={id} label={name} isOn={chosen.includes(id)} change={isOn => change([id], isOn)} />
              ))}
            </fieldset>
          )
        })}
      </div>
    </fieldset>
  )
}

function WhenFields({ plan }: { plan: PlanDraft }) {
  const { isNow, at } = plan
  return (
    <>
      <fieldset class="group">
        <legend>{t('tonight.when')}</legend>
        <div class="tabs">
          {[false, true].map(each => (
            <label class={each === isNow ? 'tab on' : 'tab'} key={String(each)}>
              <input type="radio" name="now" checked={each === isNow} onChange={() => changeDraft({ isNow: each })} />
              {t(each ? 'tonight.now' : 'tonight.tonight')}
            </label>
          ))}
        </div>
        <div class="when-line">
          {!isNow && <Field label={t('tonight.at')} name="at" value={at} type="time" isRequired />}
          <LimitFields draft={plan} change={changeDraft} />
        </div>
        <small class="hint">{t('runOptions.untilHint')}</small>
      </fieldset>
      <WakeFields draft={plan} change={changeDraft} />
    </>
  )
}
