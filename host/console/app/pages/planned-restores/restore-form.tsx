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
import { centers } from '../../state/lab.ts'
import { report } from '../../state/notices.ts'
import { goTo } from '../../state/route.ts'
import { type CompleteDraft, changeDraft, completeDraft, draft, payloadOf, type RestoreDraft } from './restore-draft.ts'
import { RestorePreview, usePreview } from './restore-preview.tsx'

export function RestoreForm({ images, onPlanned }: { images: readonly ImageAnswer[]; onPlanned(): void }) {
  const names = images.flatMap(({ name, versions }) => [name, ...versions.map(version => version.name)])
  const restore = completeDraft(images)
  const payload = payloadOf(restore)
  const preview = usePreview(payload)
  const isBusy = useSignal(false)
  const action = t(restore.isNow ? 'plannedRestores.start' : 'plannedRestores.plan')
  const submit = async () => {
    const shown = preview.value.value
    if (!payload || !shown) return
    const clients = restore.rooms.flatMap(id => addressesIn({ type: 'room', id }))
    const question = <Question restore={restore} shown={shown} clients={clients} />
    if (!(await confirmed(t('plannedRestores.title'), question, action, clients))) return
    isBusy.value = true
    const reply = await post('/image/plan', { ...payload, ...(shown.overwrites > 0 && { overwrite: true }) })
    isBusy.value = false
    if (!report(reply, restore.isNow ? undefined : t('plannedRestores.isPlanned'))) return
    if (reply.job !== undefined) goTo('job', reply.job)
    else onPlanned()
  }
  return (
    <div class="planned-restores">
      <form
        class="card form"
        aria-label={t('plannedRestores.title')}
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <WhatFields restore={restore} names={names} />
        <RoomFields chosen={restore.rooms} />
        <WhenFields restore={restore} />
        <footer>
          <button type="submit" class="primary" disabled={isBusy.value || !payload || !preview.value.value}>
            {action}
          </button>
        </footer>
      </form>
      <RestorePreview preview={preview} isComplete={payload !== undefined} />
    </div>
  )
}

interface QuestionProps {
  restore: CompleteDraft
  shown: PreviewAnswer
  clients: readonly string[]
}

function Question({ restore: { image, disk, partition }, shown, clients }: QuestionProps) {
  return (
    <>
      {t('plannedRestores.question', { image, disk, partition, target: targetWords(clients) })}
      <ContentLines content={shown.content} disk={disk} partition={partition} />
    </>
  )
}

interface FieldProps {
  label: string
  name: keyof RestoreDraft
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

function WhatFields({ restore, names }: { restore: CompleteDraft; names: readonly string[] }) {
  const { image, disk, partition } = restore
  const isProposed = draft.value.disk === undefined && draft.value.partition === undefined
  // Another image may have been made elsewhere.
  const choose = (name: string) => changeDraft({ image: name, disk: undefined, partition: undefined })
  return (
    <>
      <div class="when-line">
        <label class="field">
          <span>{t('plannedRestores.image')}</span>
          <select value={image} onChange={event => choose(event.currentTarget.value)}>
            {names.map(name => (
              <option value={name} key={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Field label={t('plannedRestores.disk')} name="disk" value={disk} type="number" isRequired />
        <Field label={t('plannedRestores.partition')} name="partition" value={partition} type="number" isRequired />
      </div>
      {isProposed && (
        <p class="hint">{t(disk === '' ? 'plannedRestores.whereUnknown' : 'plannedRestores.whereKnown')}</p>
      )}
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
      <legend>{t('plannedRestores.rooms')}</legend>
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

function WhenFields({ restore }: { restore: RestoreDraft }) {
  const { isNow, at } = restore
  return (
    <>
      <fieldset class="group">
        <legend>{t('plannedRestores.when')}</legend>
        <div class="tabs">
          {[false, true].map(each => (
            <label class={each === isNow ? 'tab on' : 'tab'} key={String(each)}>
              <input type="radio" name="now" checked={each === isNow} onChange={() => changeDraft({ isNow: each })} />
              {t(each ? 'plannedRestores.now' : 'plannedRestores.later')}
            </label>
          ))}
        </div>
        <div class="when-line">
          {!isNow && <Field label={t('plannedRestores.at')} name="at" value={at} type="time" isRequired />}
          <LimitFields draft={restore} change={changeDraft} />
        </div>
        <small class="hint">{t('runOptions.untilHint')}</small>
      </fieldset>
      <WakeFields draft={restore} change={changeDraft} />
    </>
  )
}
