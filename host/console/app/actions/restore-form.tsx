// The form of a restore, with its preview next to it: for chosen computers on its page, and for those that are selected.
import { useSignal } from '@preact/signals'
import type { ImageAnswer, ImagesAnswer, PreviewAnswer } from '../../../contract/answers.ts'
import { post } from '../api/request.ts'
import { formatBytes, formatTime, t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { ComputerChoice } from '../parts/computer-choice.tsx'
import { confirmed } from '../parts/confirmation.tsx'
import { ContentLines } from '../parts/content-lines.tsx'
import { TextField } from '../parts/fields.tsx'
import { RadioList } from '../parts/radio-list.tsx'
import { ResourceView } from '../parts/resource-view.tsx'
import { LimitFields, WakeFields } from '../parts/run-options.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { targetWords } from '../parts/target-words.ts'
import { forgetDraft, useDraft } from '../state/drafts.ts'
import { report } from '../state/notices.ts'
import { useResource } from '../state/resource.ts'
import { goTo } from '../state/route.ts'
import { PlaceFields } from './place-fields.tsx'
import { type CompleteDraft, completeDraft, firstSelection, payloadOf, type RestoreDraft } from './restore-draft.ts'
import { RestorePreview, usePreview } from './restore-preview.tsx'

export interface RestoreFormProps {
  /** Its name among those of which what was typed is kept. */
  form: string
  first: RestoreDraft
  /** Its computers, which cannot be changed then. */
  clients?: readonly string[]
  /** After an accepted request, or when nothing is to be sent. */
  onSent(): void
}

export function RestoreForm(props: RestoreFormProps) {
  const images = useResource<ImagesAnswer>('/images', ({ type }) => type.startsWith('image-'))
  return (
    <ResourceView resource={images}>
      {answer =>
        answer.images.length === 0 ? (
          <p class="card empty-state">{t('images.none')}</p>
        ) : (
          <ImageForm {...props} images={answer.images} />
        )
      }
    </ResourceView>
  )
}

export interface SelectionRestoreProps {
  form: string
  clients: readonly string[]
  onSent(): void
}

/** For the computers that were selected when it was opened. */
export const SelectionRestore = (props: SelectionRestoreProps) => <RestoreForm {...props} first={firstSelection} />

type Change = (part: Partial<RestoreDraft>) => void

function ImageForm({ form, first, clients: fixed, onSent, images }: RestoreFormProps & Pick<ImagesAnswer, 'images'>) {
  const { draft, change } = useDraft(form, first)
  const restore = completeDraft(
    { ...draft.value, ...(fixed && { computers: { type: 'list', clients: fixed } }) },
    images,
  )
  const payload = payloadOf(restore)
  const preview = usePreview<PreviewAnswer>('/image/plan', payload && { ...payload, dry_run: true })
  const isBusy = useSignal(false)
  const isNow = restore.when === 'now'
  const action = t(isNow ? 'plannedRestores.start' : 'plannedRestores.plan')
  const submit = async () => {
    const shown = preview.value.value
    if (!payload || !shown) return
    const refused = new Set(shown.refused.map(({ client }) => client))
    const clients = restore.clients.filter(ip => !refused.has(ip))
    const question = <Question restore={restore} clients={clients} shown={shown} />
    if (!(await confirmed(t('command.image-restore'), question, action, clients))) return
    isBusy.value = true
    const reply = await post('/image/plan', { ...payload, ...(shown.overwrites > 0 && { overwrite: true }) })
    isBusy.value = false
    if (!report(reply, isNow ? undefined : t('plannedRestores.isPlanned'))) return
    if (reply.job !== undefined) goTo('job', reply.job)
    if (fixed) end()
    else onSent()
  }
  const end = () => {
    forgetDraft(form)
    onSent()
  }
  return (
    <div class="columns two">
      <form
        class={fixed ? 'form' : 'card form'}
        aria-label={t('command.image-restore')}
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        {!fixed && <ComputerChoice value={restore.computers} onChange={computers => change({ computers })} />}
        <ImageChoice images={images} chosen={restore.image} change={change} />
        {restore.clients.length > 0 && (
          <PlaceFields
            clients={restore.clients}
            place={restore.place}
            origin={restore.origin}
            onChange={place => change({ place })}
          />
        )}
        <WhenFields restore={restore} change={change} />
        <footer>
          {fixed && <Button text={t('action.cancel')} press={end} />}
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
  /** Those that would get it. */
  clients: readonly string[]
  shown: PreviewAnswer
}

function Question({ restore: { image, place }, clients, shown }: QuestionProps) {
  return (
    <>
      {t('plannedRestores.question', { image, ...place, target: targetWords(clients) })}
      <ContentLines content={shown.content} {...place} />
    </>
  )
}

interface ImageChoiceProps {
  images: readonly ImageAnswer[]
  chosen: string
  change: Change
}

function ImageChoice({ images, chosen, change }: ImageChoiceProps) {
  const options = images.flatMap(({ name, system, size, modified, computers, versions }) => [
    {
      key: name,
      name,
      note: [system, formatBytes(size), formatTime(modified), t('restore.has', { n: computers })]
        .filter(Boolean)
        .join(' · '),
    },
    ...versions.map(older => ({
      key: older.name,
      name: older.name,
      note: [t('images.olderFile'), formatBytes(older.size), formatTime(older.modified)].join(' · '),
    })),
  ])
  // Another image may have been made elsewhere.
  const choose = (image: string) => change({ image, place: undefined })
  return <RadioList legend={t('plannedRestores.image')} options={options} value={chosen} onChange={choose} />
}

const times = ['now', 'next', 'day'] as const

function WhenFields({ restore, change }: { restore: RestoreDraft; change: Change }) {
  const { when, at, on } = restore
  return (
    <>
      <fieldset class="group stack">
        <legend>{t('field.when')}</legend>
        <Tabs
          label={t('field.when')}
          options={times.map(each => [each, t(`plannedRestores.${each}`)])}
          value={when}
          onChange={next => change({ when: next })}
        />
        <div class="row fields">
          {when === 'day' && (
            <StartField type="date" label="plannedRestores.on" value={on} onChange={text => change({ on: text })} />
          )}
          {when !== 'now' && (
            <StartField type="time" label="plannedRestores.at" value={at} onChange={text => change({ at: text })} />
          )}
          <LimitFields draft={restore} change={change} />
        </div>
        <small class="hint">{t('runOptions.untilHint')}</small>
      </fieldset>
      <WakeFields draft={restore} change={change} />
    </>
  )
}

interface StartFieldProps {
  type: 'date' | 'time'
  label: 'plannedRestores.on' | 'plannedRestores.at'
  value: string
  onChange(text: string): void
}

const StartField = ({ type, label, value, onChange }: StartFieldProps) => (
  <TextField label={t(label)} type={type} required value={value} change={onChange} />
)
