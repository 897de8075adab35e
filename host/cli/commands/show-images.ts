// The subcommands that show images: images with their versions, the bin, and who has which version.
import type { Command } from 'commander'
import type { BinEntry, ImageFile, ImageVersion } from '../../contract/services.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, formatBytes, formatLocalTime, formatTable } from '../terminal/text-table.ts'

interface ImageEntry extends ImageFile {
  id: number
  name: string
  /** Bytes. */
  datasize: number
  repo_id: number
  check: ImageVersion['check']
  versions: ImageVersion[]
}

interface ImageList {
  images: ImageEntry[]
  disk: { total: number; free: number }
  /** Of creations that failed or run, or in repositories of other servers. */
  without_file?: { id: number; name: string }[]
}

/** `first` and `last`: ISO times. */
interface VersionCount {
  version: number
  computers: number
  first?: string
  last?: string
}

interface StatsList {
  images: { id: number; name: string; version: number; versions: VersionCount[]; copies?: CopyEntry[] }[]
  next?: string
}

interface CopyEntry {
  client: string
  disk: number
  partition: number
  version: number
  since?: string
}

export function addShowImages(program: Command, context: CliContext): void {
  const { connect, print, printJson, width } = context
  const show = async <Body>(route: string, json: true | undefined, format: (body: Body) => string) => {
    const { body } = await connect().call<Body>(route)
    if (json) printJson(body)
    else print(format(body))
  }
  const add = (name: string, description: string) =>
    program.command(name).description(description).option('--json', 'print JSON')
  add('images', 'list images, their older files and the disk that holds them').action(({ json }: { json?: true }) =>
    show<ImageList>('GET /images?without_file=1', json, list => formatImages(list, width())),
  )
  add('image-bin', 'list deleted images that can be brought back').action(({ json }: { json?: true }) =>
    show<{ bin: BinEntry[] }>('GET /image/bin', json, ({ bin }) => formatBin(bin, width())),
  )
  add('image-stats', 'show how many computers have which version of each image')
    .option('--image <id>', 'show which computers have this image, and since when')
    .action(({ json, image }: { json?: true; image?: string }) => {
      const query = image === undefined ? '' : `?image=${encodeURIComponent(image)}`
      return show<StatsList>(`GET /image/stats${query}`, json, list => formatStats(list, width()))
    })
}

/** An image, or an older file of one. */
type FileRow = ImageFile & Pick<ImageVersion, 'name' | 'check'> & Partial<ImageEntry>

const imageColumns: Column<FileRow>[] = [
  { title: 'image', value: ({ name, id }) => (id === undefined ? `  ${name}` : name) },
  { title: 'id', value: ({ id = '' }) => id, alignRight: true },
  { title: 'repository', value: ({ repo_id = '' }) => repo_id, alignRight: true },
  { title: 'size', value: ({ size }) => formatBytes(size), alignRight: true },
  { title: 'data', value: ({ datasize }) => (datasize === undefined ? '' : formatBytes(datasize)), alignRight: true },
  { title: 'modified', value: ({ modified }) => modified },
  { title: 'check', value: ({ check }) => (check.percent === undefined ? check.state : `${check.percent} %`) },
]

function formatImages({ images, disk, without_file = [] }: ImageList, width?: number): string {
  const rows: FileRow[] = images.flatMap(({ versions, ...image }) => [image, ...versions])
  const space = paint('gray', `disk: ${formatBytes(disk.free)} of ${formatBytes(disk.total)} free`)
  const names = without_file.map(({ id, name }) => `${name} (id ${id})`).join(', ')
  const others = names === '' ? '' : `\n${paint('yellow', `without a file here: ${names}`)}`
  return `${rows.length === 0 ? 'no images' : formatTable(rows, imageColumns, width)}\n${space}${others}`
}

const binColumns: Column<BinEntry>[] = [
  { title: 'entry', value: ({ id }) => id, alignRight: true },
  { title: 'image', value: ({ name }) => name },
  { title: 'size', value: ({ size }) => formatBytes(size), alignRight: true },
  { title: 'deleted', value: ({ deleted }) => formatLocalTime(deleted) },
  { title: 'until', value: ({ expires }) => formatLocalTime(expires) },
  { title: 'reason', value: ({ reason }) => reason },
]

const formatBin = (bin: BinEntry[], width?: number) =>
  bin.length === 0 ? 'the bin is empty' : formatTable(bin, binColumns, width)

const versionWord = (version: number) => (version === 0 ? 'not known' : `${version}`)

const countColumns: Column<VersionCount & { name: string }>[] = [
  { title: 'image', value: ({ name }) => name },
  { title: 'version', value: ({ version }) => versionWord(version), alignRight: true },
  { title: 'computers', value: ({ computers }) => computers, alignRight: true },
  { title: 'first', value: ({ first }) => formatLocalTime(first) },
  { title: 'last', value: ({ last }) => formatLocalTime(last) },
]

const copyColumns: Column<CopyEntry>[] = [
  { title: 'client', value: ({ client }) => client },
  { title: 'disk', value: ({ disk }) => disk, alignRight: true },
  { title: 'partition', value: ({ partition }) => partition, alignRight: true },
  { title: 'version', value: ({ version }) => versionWord(version), alignRight: true },
  { title: 'since', value: ({ since }) => formatLocalTime(since) },
]

function formatStats({ images, next }: StatsList, width?: number): string {
  const counts = images.flatMap(({ name, versions }) => versions.map(version => ({ name, ...version })))
  if (counts.length === 0) return 'no computer has a partition of an image'
  const copies = images.flatMap(image => image.copies ?? [])
  const table = formatTable(counts, countColumns, width)
  if (copies.length === 0) return table
  const more =
    next === undefined ? '' : `\n${paint('gray', `more after ${next}: GET /image/stats?image=…&after=${next}`)}`
  return `${table}\n\n${formatTable(copies, copyColumns, width)}${more}`
}
