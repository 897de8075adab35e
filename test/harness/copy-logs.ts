// What programs that copy images print, and the two ways in which live systems serve it: the whole log, and a page.

export type Ending = keyof typeof endings

/** How a copy ends: the share of it that was copied, and what is printed then. */
const endings = {
  'broken lzop stream': { at: 43, lines: ['lzop: <stdin>: unexpected end of file'] },
  'broken gzip stream': { at: 43, lines: ['gzip: stdin: unexpected end of file'] },
  'broken gzip stream, in Spanish': { at: 43, lines: ['gzip: stdin: final de fichero inesperado'] },
  'broken zstd stream': { at: 43, lines: ['/*stdin*\\ : Read error (39) : premature end'] },
  'wrong checksum': { at: 43, lines: ['CRC error, block_id=85211...'] },
  'broken disk': { at: 43, lines: ['write error: Input/output error'] },
  'full repository': { at: 43, lines: ['lzop: No space left on device: /opt/opengnsys/images/debian.img'] },
  'small partition': {
    at: 0,
    lines: ['Target partition size(5368 MB) is smaller than source(10737 MB). Use option -C'],
  },
  'small partition, in Spanish': { at: 0, lines: ['Error al restaurar: Particion mas pequeña que la imagen "1 2"'] },
  'no image': {
    at: 0,
    lines: ['This is not partclone image.', 'Partclone fail, please check /var/log/partclone.log !'],
  },
  'corrupt image, in Spanish': { at: 0, lines: ['Archivo de imagen corrupto o de otra versión de partclone'] },
  'killed at once': { at: 0, lines: [] },
  'killed in the middle': { at: 43, lines: [] },
  'killed in the middle of a line': { at: 43, lines: ['Elapsed: 00:00:21, Remai'] },
  'killed at the end': { at: 100, lines: [] },
}

// `as`: the object has no other keys.
export const endingNames = Object.keys(endings) as Ending[]

/** One that prints nothing that names its cause. */
export const isSilent = (ending: Ending): boolean => ending.startsWith('killed')

const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19)

/** Of partclone that restores to a partition, with a line each second. */
export function partclone(partition: number, ending?: Ending): string[] {
  const { at, lines } = ending ? endings[ending] : { at: 100, lines: [] }
  const device = `/dev/sda${partition}`
  const head = ['Partclone v0.3.13 http://partclone.org', `Starting to restore image (-) to device (${device})`]
  if (at === 0) return [...head, ...lines]
  const sizes = [
    'File system:  EXTFS',
    'Device size:   10.7 GB = 2621440 Blocks',
    'Space in use:   3.4 GB = 838301 Blocks',
  ]
  head.push('Calculating bitmap... Please wait...', 'done!', ...sizes, 'Free Space:     7.3 GB = 1783139 Blocks')
  head.push('Block size:   4096 Byte')
  for (let percent = partition; percent <= at; percent += Math.min(13, Math.max(1, at - percent))) {
    const times = `Elapsed: ${clock(percent)}, Remaining: ${clock(100 - percent)}`
    head.push(`${times}, Completed: ${percent.toFixed(2).padStart(6)}%, Rate:   5.14GB/min,`)
    head.push(`current block: ${percent * 8000}, total block: 2621440, Complete: ${percent.toFixed(2).padStart(6)}%`)
  }
  if (ending) return [...head, ...lines]
  const result = `Partclone successfully restored the image (-) to the device (${device})`
  return [
    ...head,
    'Total Time: 00:01:40, Ave. Rate:   5.1GB/min, 100.00% completed!',
    'Syncing... OK!',
    result,
    'Cloned successfully.',
  ]
}

/** The same in Spanish, of which no line is known. */
export const partcloneInSpanish = (partition: number): string[] =>
  partclone(partition).map(line =>
    line
      .replace('Starting to restore image', 'Comenzando a restaurar la imagen')
      .replace(/Completed:|Complete:/, 'Completado:')
      .replace('completed!', '¡completado!')
      .replace('successfully restored', 'restauró')
      .replace('Cloned successfully.', 'Clonado correctamente.'),
  )

export function ntfsclone(_partition: number, ending?: Ending): string[] {
  const { at, lines } = ending ? endings[ending] : { at: 100, lines: [] }
  const scan = ['Scanning volume ...', ' 55.40 percent completed', '100.00 percent completed']
  const copy = [0.12, 21.5, 43, 77.77, 100].filter(percent => percent <= at)
  const progress = copy.map(percent => `${percent.toFixed(2).padStart(6)} percent completed`)
  const head = ['ntfsclone v2022.10.3 (libntfs-3g)', 'Cluster size       : 4096 bytes', ...scan]
  return [...head, 'Restoring NTFS from image ...', ...progress, ...(ending ? lines : ['Syncing ...'])]
}

/** rsync, which prints no end that is known; its files have names that look like errors. */
export const rsync = (): string[] => [
  'receiving incremental file list',
  ...fileNames,
  '     45,678,901  99%   10.00MB/s    0:00:05 (xfr#2, to-chk=0/12)',
  'sent 1,234 bytes  received 45,678,901 bytes  9,135,780.20 bytes/sec',
]

export const fileNames = [
  'file error.log copied',
  'usr/share/perl5/Error.pm',
  'usr/lib/node_modules/x/error.js',
  'srv/www/errors/404.html',
  'var/log/error',
  'home/ana/error-report 2.doc',
  'Windows/System32/my_error.dll',
]

/** The log as the family's page shows it. */
export function asPage(log: string): string {
  const isLast = /^aclfilter|^deleting|^bytes|%|sent|^Elapsed:|^Total [Tt]ime:|^-|^\\|^\//
  const lines = log.split('\n').filter(line => line.length >= 4)
  const shown = (isTail: boolean) =>
    lines.filter(line => isLast.test(line) === isTail).filter((line, at, all) => line !== all[at - 1])
  const area = (name: string, text: string[]) =>
    `<TEXTAREA NAME='${name}' ROWS='13' COLS='175'>\n${text.map(line => `${line}\n`).join('')}</TEXTAREA>\n`
  const areas = [area('trackloghead', shown(false).slice(0, 15)), area('tracklogtail', shown(true).slice(-2))]
  return `<html><head>\n<title>Log</title></head><body>\n<table>\n${areas.join('</tr>\n<tr>\n')}</table>\n</body></html>\n`
}
