// A disk as a bar: its partitions are as wide as they are large, and filled as far as they are used.
import type { PartitionAnswer } from '../../../../contract/answers.ts'
import { formatBytes, t } from '../../language/translate.ts'
import { bytesOf, filesystemName, toneOf } from '../../parts/disk-words.ts'

export interface DiskBarProps {
  /** Bytes of the disk. */
  total: number
  partitions: PartitionAnswer[]
  systemAt(partition: PartitionAnswer): string | undefined
}

/** The part of a disk that is not worth a piece of the bar. */
const smallest = 0.005

/** The table below has the same, so it is hidden from screen readers. */
export function DiskBar({ total, partitions, systemAt }: DiskBarProps) {
  const rest = total - partitions.reduce((sum, row) => sum + bytesOf(row), 0)
  return (
    <div class="disk-bar" aria-hidden="true">
      {partitions.map(row => (
        <Piece key={row.partition} row={row} system={systemAt(row)} />
      ))}
      {rest > total * smallest && (
        <div class="piece free quiet" style={{ flexGrow: rest }} title={t('computer.unallocated')}>
          <span class="line cut">{t('computer.unallocated')}</span>
          <small class="line cut">{formatBytes(rest)}</small>
        </div>
      )}
    </div>
  )
}

function Piece({ row, system }: { row: PartitionAnswer; system: string | undefined }) {
  const size = formatBytes(bytesOf(row))
  const name = system ?? filesystemName(row)
  return (
    <div
      class={`piece ${toneOf(row)}`}
      style={{ flexGrow: bytesOf(row), '--used': `${row.used_size}%` }}
      title={`${row.partition} · ${name} · ${size} · ${t('computer.used', { n: row.used_size })}`}
    >
      <span class="line cut">{name}</span>
      <small class="line cut">
        {size} · {t('computer.used', { n: row.used_size })}
      </small>
    </div>
  )
}
