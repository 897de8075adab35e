// The form of a restore in rooms, with its preview next to it.
import { useSignal } from '@preact/signals'
import type { ImageAnswer, PreviewAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { addressesIn, Check } from '../../parts/computer-choice.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { ContentLines } from '../../parts/content-lines.tsx'
import { LimitFields, WakeFields } from '../../parts/run-options.tsx'
import { targetWords } from '../../parts/target-words.ts'
import { centers } from '../../state/fleet.ts'
import { report } from '../../state/notices.ts'
import { goTo } from '../../state/route.ts'
import { changeDraft, draft, type PlacedDraft, type PlanDraft, payloadOf, planOf } from './plan-draft.ts'
import { PlanPreview, usePreview } from './plan-preview.tsx'

export function PlanForm({ images, onPlanned }: { images: readonly ImageAnswer[]; onPlanned(): void }) {
  const names = images.flatMap(({ name, versions }) => [name, ...versions.map(version => version.name)])
  const plan = planOf(images)
  const payload = payloadOf(plan)
  const preview = usePreview(payload)
  const isBusy = useSignal(false)
  const action = t(plan.isNow ? 'tonight.start' : 'tonight.plan')
  const submit = async () => {
    const shown = preview.value.value
    if (!payload || !shown) return
    const clients = plan.rooms.flatMap(id => addressesIn({ type: 'room', id }))
    const question = <Question plan={plan} shown={shown} clients={clients} />
    if (!(await confirmed(t('tonight.title'), question, action, clients))) return
    isBusy.value = true
    const reply = await post('/image/plan', { ...payload, ...(shown.overwrites > 0 && { overwrite: true }) })
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
            {action}
          </button>
        </footer>
      </form>
      <PlanPreview preview={preview} isComplete={payload !== undefined} />
    </div>
  )
}

interface QuestionProps {
  plan: PlacedDraft
  shown: PreviewAnswer
  clients: readonly string[]
}

function Question({ plan: { image, disk, partition }, shown, clients }: QuestionProps) {
  return (
    <>
      {t('tonight.question', { image, disk, partition, target: targetWords(clients) })}
      <ContentLines content={shown.content} disk={disk} partition={partition} />
    </>
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

function WhatFields({ plan, names }: { plan: PlacedDraft; names: readonly string[] }) {
  const { image, disk, partition } = plan
  const isProposed = draft.value.disk === undefined && draft.value.partition === undefined
  // Another image may have been made elsewhere.
  const choose = (name: string) => changeDraft({ image: name, disk: undefined, partition: undefined })
  return (
    <>
      <div class="when-line">
        <label class="field">
          <span>{t('tonight.image')}</span>
          <select value={image} onChange={event => choose(event.currentTarget.value)}>
            {names.map(name => (
              <option value={name} key={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Field label={t('tonight.disk')} name="disk" value={disk} type="number" isRequired />
        <Field label={t('tonight.partition')} name="partition" value={partition} type="number" isRequired />
      </div>
      {isProposed && <p class="hint">{t(disk === '' ? 'tonight.placeUnknown' : 'tonight.placeKnown')}</p>}
    </>
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
