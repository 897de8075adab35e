// The page of one computer: what it is, what is on its disks, what has run on it, and what can be done with it.
import { useMemo } from 'preact/hooks'
import type { ComputerAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { type ComputerView, computers, isLoaded, pendingClients } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo, route } from '../../state/route.ts'
import { BootModeCard, hasChanged } from './boot-mode-card.tsx'
import { ComputerHead } from './computer-head.tsx'
import { DisksCard } from './disks-card.tsx'
import { HardwareCard } from './hardware-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { LastJobs } from './last-jobs.tsx'
import { RecordCard } from './record-card.tsx'
import { SoftwareCard } from './software-card.tsx'
import { TimelineCard } from './timeline-card.tsx'
import { ViewCards } from './view-cards.tsx'

export function ComputerPage() {
  const [ip = ''] = route.value.rest
  const computer = computers.value.get(ip)
  const pending = pendingClients.value.find(each => each.ip === ip)
  if (computer) return <KnownComputer key={ip} computer={computer} />
  if (pending) return <PendingClient key={ip} computer={pending} />
  if (!isLoaded.value) return <PageHead title={ip} />
  return (
    <>
      <PageHead title={t('nav.computer')} />
      <p class="card">
        {t('computer.unknown', { ip })} <a href={linkTo('')}>{t('plannedRestores.rooms')}</a>
      </p>
    </>
  )
}

function KnownComputer({ computer }: { computer: ComputerView }) {
  const { ip } = computer
  const record = useResource<ComputerAnswer>(`/client/info?client=${ip}`, hasChanged(ip))
  // The parts of the page below follow what they show by themselves.
  const cards = useMemo(
    () => (
      <div class="columns two">
        <TimelineCard ip={ip} />
        <DisksCard ip={ip} />
        <LastJobs ip={ip} />
        <HardwareCard ip={ip} />
        <SoftwareCard ip={ip} />
        <HistoryCard ip={ip} />
        <ViewCards ip={ip} />
        <BootModeCard ip={ip} record={record} />
        <RecordCard record={record} />
      </div>
    ),
    [ip, record],
  )
  return (
    <>
      <ComputerHead computer={computer} mac={record.value.value?.mac} />
      {cards}
    </>
  )
}

/** A connected client without a record: nothing of it is stored. */
function PendingClient({ computer }: { computer: ComputerView }) {
  return (
    <>
      <ComputerHead computer={computer} mac={undefined} />
      <p class="card">
        {t('computer.pending')} <a href={linkTo('import')}>{t('nav.import')}</a>
      </p>
    </>
  )
}
