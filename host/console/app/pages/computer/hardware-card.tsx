// The hardware of the computer, as its agent has listed it.
import type { HardwareAnswer } from '../../../../contract/answers.ts'
import { t, tryTranslate } from '../../language/translate.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'
import { CommandButton, NotTaken } from './command-button.tsx'
import type { CardProps } from './disks-card.tsx'
import { hasReported } from './send-command.ts'

export function HardwareCard({ ip }: CardProps) {
  const hardware = useResource<HardwareAnswer>(`/hardware?client=${ip}`, hasReported(ip))
  return (
    <section class="card" aria-labelledby="hardware">
      <header>
        <h2 id="hardware">{t('computer.hardware')}</h2>
        <CommandButton
          ip={ip}
          label={t('computer.takeInventory')}
          title={t('computer.takeHardware')}
          path="/hardware"
        />
      </header>
      <ResourceView resource={hardware}>
        {({ hardware: items }) =>
          items.length === 0 ? (
            <NotTaken />
          ) : (
            <dl class="facts">
              {items.map(({ type, description }, index) => (
                <div key={index}>
                  <dt>{wordOf(type)}</dt>
                  <dd>{description}</dd>
                </div>
              ))}
            </dl>
          )
        }
      </ResourceView>
    </section>
  )
}

/** The daemon's words are English, those of site's agents may be others. */
const wordOf = (type: string): string => tryTranslate(`hardware.${type.toLowerCase().replaceAll(' ', '-')}`) ?? type
