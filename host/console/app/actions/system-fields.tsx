// Chooses the system that computers start, by its name.
import { useEffect } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { RadioList } from '../parts/radio-list.tsx'
import { placeOf, systemsOf, useSystems } from '../state/partition-systems.ts'
import type { OwnFieldsProps } from './field-values.ts'
import { PlaceNumbers } from './place-fields.tsx'

export function SystemFields({ values, change, clients, limitTo }: OwnFieldsProps) {
  const answer = useSystems(clients).value.value
  const options = systemsOf(answer, clients)
    .filter(({ system }) => system !== '')
    .map(content => {
      const place = placeOf(content)
      const n = content.clients.length
      const note = [t('plannedRestores.where', { ...place }), t('restore.onSome', { n, all: clients.length })]
      return { key: JSON.stringify([place, content.system]), name: content.system, note: note.join(' · '), content }
    })
  const key = String(values.system ?? '')
  const chosen = options.find(option => option.key === key)
  const choose = (next: string) => {
    const option = options.find(each => each.key === next)
    if (!option) return
    const { disk, partition } = placeOf(option.content)
    change('system', next)
    change('disk', disk)
    change('partition', partition)
  }
  // The one that most computers have.
  const most = options.toSorted((one, two) => two.content.clients.length - one.content.clients.length)[0]?.key
  useEffect(() => {
    if (most !== undefined && !chosen) choose(most)
  }, [most])
  const meant = chosen?.content.clients
  useEffect(() => limitTo(meant), [meant?.join()])
  if (answer && options.length === 0)
    return (
      <>
        <p class="hint">{t('session.unknown')}</p>
        <PlaceNumbers
          place={{ disk: String(values.disk ?? ''), partition: String(values.partition ?? '') }}
          onChange={({ disk, partition }) => {
            change('disk', disk)
            change('partition', partition)
          }}
        />
      </>
    )
  return <RadioList legend={t('rooms.system')} options={options} value={key} onChange={choose} />
}
