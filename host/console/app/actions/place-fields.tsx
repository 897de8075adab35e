// Chooses the partition that a restore overwrites, by what the computers have there now.
import { useSignal } from '@preact/signals'
import type { PartitionSystem } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'
import { TextField } from '../parts/fields.tsx'
import { groupBy } from '../parts/group-by.ts'
import { RadioList } from '../parts/radio-list.tsx'
import { keyOf, type Place, placeOf, systemsOf, useSystems } from '../state/partition-systems.ts'

export interface PlaceFieldsProps {
  clients: readonly string[]
  place: Place
  /** Where the image was made; '' where that is not known. */
  origin: Place
  onChange(place: Place): void
}

const other = 'other'

export function PlaceFields({ clients, place, origin, onChange }: PlaceFieldsProps) {
  const systems = systemsOf(useSystems(clients).value.value, clients)
  const isTyping = useSignal(false)
  const made = keyOf(origin)
  // Swap space and the like are other partitions, too.
  const offered = [...groupBy(systems, content => keyOf(placeOf(content)))].filter(
    ([key, contents]) => key === made || contents.some(({ system }) => system !== ''),
  )
  const known = new Map(offered)
  if (origin.disk !== '' && !known.has(made)) known.set(made, [])
  const isOther = isTyping.value || !known.has(keyOf(place))
  const options = [...known].map(([key, contents]) => {
    const [disk = '', partition = ''] = key.split(' ')
    const n = contents.reduce((sum, each) => sum + each.clients.length, 0)
    const where = t('plannedRestores.where', { disk, partition })
    const note = [where, t('restore.onSome', { n, all: clients.length }), ...(key === made ? [t('restore.made')] : [])]
    return { key, name: contentWords(contents), note: note.join(' · ') }
  })
  const choose = (key: string) => {
    isTyping.value = key === other
    const [disk = '', partition = ''] = key.split(' ')
    if (key !== other) onChange({ disk, partition })
  }
  return (
    <>
      <RadioList
        legend={t('restore.target')}
        options={[...options, { key: other, name: t('restore.otherPlace'), note: '' }]}
        value={isOther ? other : keyOf(place)}
        onChange={choose}
      />
      {isOther && (
        <>
          <PlaceNumbers
            place={place}
            onChange={typed => {
              isTyping.value = true
              onChange(typed)
            }}
          />
          {origin.disk === '' && <p class="hint">{t('plannedRestores.whereUnknown')}</p>}
        </>
      )}
    </>
  )
}

/** `Windows 10`, or `Windows 10 (21), No known system (3)`. */
function contentWords(contents: readonly PartitionSystem[]): string {
  const words = contents.map(({ system, clients }) => ({ name: system || t('restore.nothing'), n: clients.length }))
  if (words.length < 2) return words[0]?.name ?? t('restore.nothing')
  return words.map(({ name, n }) => `${name} (${n})`).join(', ')
}

export function PlaceNumbers({ place, onChange }: Pick<PlaceFieldsProps, 'place' | 'onChange'>) {
  return (
    <div class="row fields">
      {(['disk', 'partition'] as const).map(key => (
        <TextField
          key={key}
          label={t(`plannedRestores.${key}`)}
          type="number"
          required
          min={1}
          max={9999}
          value={place[key]}
          change={text => onChange({ ...place, [key]: text })}
        />
      ))}
    </div>
  )
}
