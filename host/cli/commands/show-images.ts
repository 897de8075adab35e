// The subcommands that show images: images with their versions, the bin, and who has which version.
import { type Command, Option } from 'commander'
import type { BinAnswer, ImageAnswer, ImageStatsAnswer, ImagesAnswer, VersionAnswer } from '../../contract/answers.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, formatBytes, formatLocalTime, formatTable, timeColumn } from '../terminal/text-table.ts'
import { addRead } from './add-read.ts'

export function addShowImages(program: Command, context: CliContext): void {
  addRead(program, context, {
    name: 'images',
    description: 'list images, their older files and the disk that holds them',
    read: 'GET /images?without_file=1',
    format: formatImages,
  })
  addRead(program, context, {
    name: 'image-bin',
    description: 'list deleted images that can be brought back',
    read: 'GET /image/bin',
    format: ({ bin }: BinAnswer, width) =>
      bin.length === 0 ? 'the bin is empty' : formatTable(bin, binColumns, width),
  })
  addRead(program, context, {
    name: 'image-stats',
    description: 'show how many computers have which version of each image',
    options: [new Option('--image <id>', 'show which computers have this image, and since when')],
    read: async ({ image }: { image?: string }) => {
      const query = image === undefined ? '' : `?image=${encodeURIComponent(image)}`
      return (await context.connect().call<ImageStatsAnswer>(`GET /image/stats${query}`)).body
    },
    format: formatStats,
  })
}

/** An image, or an older file of one. */
type FileRow = (ImageAnswer | VersionAnswer) & Partial<ImageAnswer>

const imageColumns: Column<FileRow>[] = [
  { title: 'image', value: ({ name, id }) => (id === undefined ? `  ${name}` : name) },
  'id',
  { title: 'repository', value: ({ repo_id }) => repo_id },
  { title: 'size', value: ({ size }) => formatBytes(size), alignRight: true },
  { title: 'data', value: ({ datasize }) => (datasize === undefined ? '' : formatBytes(datasize)), alignRight: true },
  'modified',
  { title: 'check', value: ({ check }) => (check.percent === undefined ? check.state : `${check.percent} %`) },
]

function formatImages({ images, disk, without_file = [] }: ImagesAnswer, width?: number): string {
  const rows: FileRow[] = images.flatMap(({ versions, ...image }) => [image, ...versions])
  const space = paint('gray', `disk: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} free`)
  const names = without_file.map(({ id, name }) => `${name} (id ${id})`).join(', ')
  const others = names === '' ? '' : `\n${paint('yellow', `without a file here: ${names}`)}`
  return `${rows.length === 0 ? 'no images' : formatTable(rows, imageColumns, width)}\n${space}${others}`
}

const binColumns: Column<BinAnswer['bin'][number]>[] = [
  { title: 'entry', value: ({ id }) => id },
  { title: 'image', value: ({ name }) => name },
  { title: 'size', value: ({ size }) => formatBytes(size), alignRight: true },
  timeColumn('deleted'),
  { title: 'until', value: ({ expires }) => formatLocalTime(expires) },
  'reason',
]

const versionWord = (version: number) => (version === 0 ? 'not known' : `${version}`)

type StatsImage = ImageStatsAnswer['images'][number]

const countColumns: Column<StatsImage['versions'][number] & { name: string }>[] = [
  { title: 'image', value: ({ name }) => name },
  { title: 'version', value: ({ version }) => versionWord(version), alignRight: true },
  'computers',
  timeColumn('first'),
  timeColumn('last'),
]

const copyColumns: Column<NonNullable<StatsImage['copies']>[number]>[] = [
  'client',
  'disk',
  'partition',
  { title: 'version', value: ({ version }) => versionWord(version), alignRight: true },
  timeColumn('since'),
]

function formatStats({ images, next }: ImageStatsAnswer, width?: number): string {
  const counts = images.flatMap(({ name, versions }) => versions.map(version => ({ name, ...version })))
  if (counts.length === 0) return 'no computer has a partition of an image'
  const copies = images.flatMap(image => image.copies ?? [])
  const table = formatTable(counts, countColumns, width)
  if (copies.length === 0) return table
  const more =
    next === undefined ? '' : `\n${paint('gray', `more after ${next}: GET /image/stats?image=…&after=${next}`)}`
  return `${table}\n\n${formatTable(copies, copyColumns, width)}${more}`
}
