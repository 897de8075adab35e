// The disks of the computer as bars, and each partition with its system, its image and what can be started.
import type {
  ImageAnswer,
  ImagesAnswer,
  InstalledSystem,
  InstalledSystemsAnswer,
  PartitionAnswer,
  PartitionsAnswer,
} from '../../../../contract/answers.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { bytesOf, filesystemName, tableName, toneOf } from '../../parts/disk-words.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { chooseCommand, commandOf } from '../../state/commands.ts'
import { viewOf } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'
import { CommandButton } from './command-button.tsx'
import { DiskBar } from './disk-bar.tsx'
import { hasReported } from './send-command.ts'

export interface CardProps {
  ip: string
}

export function DisksCard({ ip }: CardProps) {
  const setup = useResource<PartitionsAnswer>(`/client/setup?client=${ip}`, hasReported(ip))
  const systems = useResource<InstalledSystemsAnswer>(`/session?client=${ip}`, hasReported(ip))
  const images = useResource<ImagesAnswer>('/images', ({ type }) => type.startsWith('image-'))
  return (
    <section class="card wide" aria-labelledby="disks">
      <header>
        <h2 id="disks">{t('computer.disks')}</h2>
        <div class="actions">
          <ImageButton ip={ip} />
          <CommandButton ip={ip} label={t('computer.refresh')} path="/refresh" />
        </div>
      </header>
      <ResourceView resource={setup}>
        {({ partitions }) =>
          partitions.length === 0 ? (
            <p class="hint">{t('computer.noDisks')}</p>
          ) : (
            disksOf(partitions).map(disk => (
              <Disk
                key={disk.number}
                disk={disk}
                systems={systems.value.value?.sessions ?? []}
                images={images.value.value?.images ?? []}
                ip={ip}
              />
            ))
          )
        }
      </ResourceView>
    </section>
  )
}

function ImageButton({ ip }: CardProps) {
  const computer = viewOf(ip)
  if (!computer || !commandOf('image-create') || !may('operate')) return null
  return <Button text={t('command.image-create')} press={() => chooseCommand('image-create', [computer])} />
}

interface DiskView {
  number: number
  /** The row of the disk itself. */
  diskRow: PartitionAnswer | undefined
  partitions: PartitionAnswer[]
}

function disksOf(rows: PartitionAnswer[]): DiskView[] {
  const numbers = [...new Set(rows.map(({ disk }) => disk))]
  return numbers.map(number => {
    const own = rows.filter(({ disk }) => disk === number)
    return {
      number,
      diskRow: own.find(({ partition }) => partition === 0),
      partitions: own.filter(({ partition }) => partition !== 0),
    }
  })
}

interface DiskProps {
  disk: DiskView
  systems: InstalledSystem[]
  images: ImageAnswer[]
  ip: string
}

function Disk({ disk: { number, diskRow, partitions }, systems, images, ip }: DiskProps) {
  const total = diskRow ? bytesOf(diskRow) : partitions.reduce((sum, row) => sum + bytesOf(row), 0)
  const systemAt = ({ disk, partition }: PartitionAnswer) =>
    systems.find(system => system.disk === disk && system.partition === partition)?.name
  return (
    <div class="list">
      <h3>
        {t('computer.disk', { n: number })}{' '}
        <span class="hint">
          {formatBytes(total)}
          {diskRow && ` ${tableName(diskRow)}`}
        </span>
      </h3>
      <DiskBar total={total} partitions={partitions} systemAt={systemAt} />
      <ul class="partitions">
        {partitions.map(row => (
          <Partition
            key={row.partition}
            row={row}
            system={systemAt(row)}
            image={images.find(({ id }) => id === row.image)}
            ip={ip}
          />
        ))}
      </ul>
    </div>
  )
}

interface PartitionProps {
  row: PartitionAnswer
  system: string | undefined
  image: ImageAnswer | undefined
  ip: string
}

function Partition({ row, system, image, ip }: PartitionProps) {
  const { disk, partition, used_size: used } = row
  return (
    <li class="columns">
      <b>
        <span class={`swatch ${toneOf(row)}`} aria-hidden="true" /> {partition} · {filesystemName(row)}
      </b>
      <span class="hint">
        {formatBytes(bytesOf(row))} · {t('computer.used', { n: used })}
      </span>
      <span>{system}</span>
      <span>
        {image && (
          <>
            {t('plannedRestores.image')} <a href={linkTo('images')}>{image.name}</a>{' '}
            <span class="hint">{formatTime(image.modified)}</span>
          </>
        )}
      </span>
      {system && (
        <CommandButton
          ip={ip}
          label={t('computer.start')}
          title={t('computer.startSystem', { system })}
          path="/session"
          more={{ disk: String(disk), partition: String(partition) }}
        />
      )}
    </li>
  )
}
