// The record of the computer, and for administrators the form that changes it.
import { useSignal } from '@preact/signals'
import type { ComputerAnswer } from '../../../../contract/answers.ts'
import { type MessageKey, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { TagList } from '../../parts/tag-field.tsx'
import { roomOf } from '../../state/lab.ts'
import type { Resource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'
import { formatMac, RecordForm } from './record-form.tsx'

export function RecordCard({ record }: { record: Resource<ComputerAnswer> }) {
  const isOpen = useSignal(false)
  const close = () => {
    isOpen.value = false
  }
  return (
    <section class="card" aria-labelledby="record">
      <ResourceView resource={record}>
        {value => (
          <>
            <header>
              <h2 id="record">{t('computer.record')}</h2>
              {may('admin') && <Button text={t('records.edit')} press={() => (isOpen.value = true)} />}
            </header>
            <dl class="facts">
              {factsOf(value).map(([key, text]) => (
                <div key={key}>
                  <dt>{t(key)}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
              {value.tags && (
                <div>
                  <dt>{t('tags.title')}</dt>
                  <dd>
                    <TagList tags={value.tags} />
                  </dd>
                </div>
              )}
            </dl>
            {isOpen.value && <RecordForm record={value} onClose={close} />}
          </>
        )}
      </ResourceView>
    </section>
  )
}

function factsOf(record: ComputerAnswer): [MessageKey, string][] {
  const { place, maintenance, remote } = record
  const yes = (flag: boolean) => t(flag ? 'command.yes' : 'command.no')
  const facts: [MessageKey, string | undefined][] = [
    ['field.mac', formatMac(record.mac)],
    ['field.room', roomOf(record.ip)?.name],
    ['field.place', place && t('computer.placeText', { row: place.row, column: place.column })],
    ['field.serial', record.serial_number],
    ['field.netmask', record.netmask],
    ['field.interface', `${record.netiface} · ${record.netdriver}`],
    ['field.livedir', record.livedir],
    ['field.maintenance', yes(maintenance)],
    ['field.remote', yes(remote)],
  ]
  return facts.flatMap(([key, text]) => (text ? [[key, text]] : []))
}
