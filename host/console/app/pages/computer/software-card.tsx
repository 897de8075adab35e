// The programs of each partition with a system, with a search.
import { useSignal } from '@preact/signals'
import type { InstalledSystem, InstalledSystemsAnswer, SoftwareAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Select } from '../../parts/fields.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { useResource } from '../../state/resource.ts'
import { CommandButton, NotTaken } from './command-button.tsx'
import type { CardProps } from './disks-card.tsx'
import { hasReported } from './send-command.ts'

const keyOf = ({ disk, partition }: InstalledSystem) => `${disk}-${partition}`

export function SoftwareCard({ ip }: CardProps) {
  const systems = useResource<InstalledSystemsAnswer>(`/session?client=${ip}`, hasReported(ip))
  const chosen = useSignal('')
  return (
    <section class="card computer-card" aria-labelledby="software">
      <ResourceView resource={systems}>
        {({ sessions }) => {
          const system = sessions.find(each => keyOf(each) === chosen.value) ?? sessions[0]
          return (
            <>
              <header>
                <h2 id="software">{t('computer.software')}</h2>
                {system && <TakeSoftware ip={ip} system={system} />}
              </header>
              {sessions.length > 1 && (
                <Select
                  aria-label={t('rooms.system')}
                  value={system ? keyOf(system) : ''}
                  options={sessions.map(each => [keyOf(each), `${each.name} (${each.disk}/${each.partition})`])}
                  change={key => (chosen.value = key)}
                />
              )}
              {system ? (
                <Programs key={keyOf(system)} ip={ip} system={system} />
              ) : (
                <p class="hint">{t('computer.noSystems')}</p>
              )}
            </>
          )
        }}
      </ResourceView>
    </section>
  )
}

function TakeSoftware({ ip, system: { disk, partition, name } }: { ip: string; system: InstalledSystem }) {
  return (
    <CommandButton
      ip={ip}
      label={t('computer.takeInventory')}
      title={t('computer.takeSoftware', { system: name })}
      path="/software"
      more={{ disk: String(disk), partition: String(partition) }}
    />
  )
}

function Programs({ ip, system: { disk, partition, name } }: { ip: string; system: InstalledSystem }) {
  const path = `/software?client=${ip}&disk=${disk}&partition=${partition}`
  const software = useResource<SoftwareAnswer>(path, hasReported(ip))
  const search = useSignal('')
  return (
    <ResourceView resource={software}>
      {({ software: all }) => {
        if (all.length === 0) return <NotTaken />
        const text = search.value.trim().toLowerCase()
        const found = text === '' ? all : all.filter(program => program.toLowerCase().includes(text))
        return (
          <>
            <input
              type="search"
              placeholder={t('computer.searchSoftware')}
              aria-label={t('computer.searchSoftware')}
              onInput={event => (search.value = event.currentTarget.value)}
            />
            <p class="hint" role="status">
              {t('computer.programs', { n: found.length })}
            </p>
            <ScrollBox class="scroll programs" label={name}>
              <ul>
                {found.map(program => (
                  <li key={program}>{program}</li>
                ))}
              </ul>
            </ScrollBox>
          </>
        )
      }}
    </ResourceView>
  )
}
