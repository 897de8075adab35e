// What the lines of a live system's console log mean: the texts of the programs that copy images, a table.
import type { Options } from '../config/options.ts'

/**
 * `error`: the command has failed. `start`: a copy begins, which ends with `done`. `progress`: has the group `percent`.
 * `position`: has it, too, where the program is on the disk, not how much it has copied. `done`: the copy is complete.
 * `ignore`: means nothing, although a later pattern matches it.
 */
type LineMeaning = 'error' | 'start' | 'progress' | 'position' | 'done' | 'ignore'

interface LogPattern {
  means: LineMeaning
  pattern: RegExp
}

const spaces = '\\s{0,20}'
const percent = '(?<percent>\\d{1,3}(?:\\.\\d{1,6})?)'
/** Not in the name of a file, as rsync lists them: `share/error.html`, `Error.pm`, `my-error-log`. */
const errorWord = /(?<![\w./\\-])error(?=\s*[:=(,!\]]|\.?$|\.?\s+\w)/

/**
 * The first pattern that matches a line decides. test/images/fixtures has the lines that they were written for. Each
 * takes a time that grows with the line's length only.
 */
const builtInPatterns: readonly LogPattern[] = [
  // Texts that only look like errors: fsck, ntfsclone, options of mount.
  { means: 'ignore', pattern: /\b(?:no|0|zero|without|ignor\w{0,3}) (?:\w{1,20} )?errors?\b/i },
  { means: 'ignore', pattern: /\berrors? (?:log|check|correction|report)/i },

  // The disk or the repository is full, or the partition is too small.
  { means: 'error', pattern: /no space left|no queda espacio|sin espacio en/i },
  { means: 'error', pattern: /disk quota exceeded|cuota de disco/i },
  { means: 'error', pattern: /target partition size.{0,80} is smaller|partition is smaller than/i },
  { means: 'error', pattern: /particion mas peque.{1,2}a que/i },
  { means: 'error', pattern: /(?:device|volume|partition) is too small|not enough (?:free )?(?:space|memory)/i },
  { means: 'error', pattern: /no enough free memory/i },

  // The stream has ended early or is not what it should be: gzip, lzop, lz4, xz, zstd, pigz, tar, partclone.
  {
    means: 'error',
    pattern: /unexpected (?:eof|end)\b|premature end|unfinished stream|truncated (?:input|stream|file)/i,
  },
  { means: 'error', pattern: /fin(?:al)? de (?:fichero|archivo) inesperado|broken pipe|tuber.{1,2}a rota/i },
  { means: 'error', pattern: /connection (?:reset|lost|refused|timed out|unexpectedly closed)/i },
  { means: 'error', pattern: /not (?:in|a|an) \w{1,20} (?:format|file)\b|is not (?:a )?partclone image/i },
  { means: 'error', pattern: /invalid compressed data|\bcorrupt(?:ed|ion|[oa]s?)?\b|checksum (?:mismatch|failed)/i },

  // The disk, and programs that were ended.
  { means: 'error', pattern: /read-only file system|sistema de (?:ficheros|archivos) de s.{1,2}lo lectura/i },
  { means: 'error', pattern: /out of memory|segmentation fault|\bkilled\b/i },
  { means: 'error', pattern: /partclone fail|dropping client/i },
  // Of tar, and of the live system's own functions.
  { means: 'error', pattern: /previous errors|errores (?:anteriores|previos)/i },
  { means: 'error', pattern: /(?:cannot|no se puede) (?:create|crear|restor|restaur)/i },
  { means: 'error', pattern: /partici.{1,2}n err.{1,2}nea|recurso bloqueado|imagen no sincronizable/i },
  { means: 'error', pattern: new RegExp(errorWord, 'i') },

  { means: 'start', pattern: /starting to (?:restore|clone|back up|map)\b|^ntfsclone v\d/i },
  // The last line of ntfsclone, which has reached 100 % several times by then.
  { means: 'done', pattern: /cloned successfully|successfully cloned|^syncing \.\.\.$/i },
  // `Completed:  12.34%` while it copies, `100.00% completed!` at the end; `12.34 percent completed` of ntfsclone.
  { means: 'progress', pattern: new RegExp(`\\bcompleted:${spaces}${percent}${spaces}%`, 'i') },
  { means: 'position', pattern: new RegExp(`\\bcomplete:${spaces}${percent}${spaces}%`, 'i') },
  { means: 'progress', pattern: new RegExp(`${percent}${spaces}(?:%|percent) completed`, 'i') },
]

/** What any built-in pattern but `ignore` matches: most lines mean nothing, and one expression is soon tried. */
const anyBuiltIn = new RegExp(
  builtInPatterns
    .filter(({ means }) => means !== 'ignore')
    .map(({ pattern }) => pattern.source.replace('?<percent>', '?:'))
    .join('|'),
  'i',
)

/** How far a copy is. */
export interface CopyProgress {
  /** 0 to 100, with one decimal. */
  percent: number
  /** Bytes per second. */
  rate?: number
  /** Seconds. */
  remaining?: number
}

export interface LogLine {
  means: Exclude<LineMeaning, 'ignore'>
  progress?: CopyProgress
}

/** Undefined when the line means nothing. */
export type LineReader = (line: string) => LogLine | undefined

/** Patterns of the site come first, so that they can overrule the built-in ones. */
export function lineReader(sitePatterns: Options['images']['log']['patterns']): LineReader {
  const ofSite = sitePatterns.map(({ means, pattern }): LogPattern => ({ means, pattern: new RegExp(pattern, 'i') }))
  const all = [...ofSite, ...builtInPatterns]
  return line => readLine(line, anyBuiltIn.test(line) ? all : ofSite)
}

function readLine(line: string, patterns: readonly LogPattern[]): LogLine | undefined {
  for (const { means, pattern } of patterns) {
    const match = pattern.exec(line)
    if (!match) continue
    if (means === 'ignore') return undefined
    if (means !== 'progress' && means !== 'position') return { means }
    const progress = progressOf(line, Number(match.groups?.percent))
    return progress && { means, progress }
  }
  return undefined
}

function progressOf(line: string, percent: number): CopyProgress | undefined {
  if (!(percent >= 0 && percent <= 100)) return undefined
  const rate = rateOf(line)
  const remaining = remainingOf(line)
  return {
    percent: Math.floor(percent * 10) / 10,
    ...(rate !== undefined && { rate }),
    ...(remaining !== undefined && { remaining }),
  }
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 }

/** Of `Rate:   3.39GB/min`, in decimal units as partclone prints them. */
function rateOf(line: string): number | undefined {
  const [, digits, unit = '', time] =
    /\brate:\s{0,20}(\d{1,9}(?:\.\d{1,6})?)\s{0,20}([kmgt]?)i?b(?:yte)?s?\/(min|s)/i.exec(line) ?? []
  if (digits === undefined) return undefined
  return Math.round((Number(digits) * (units[unit.toLowerCase()] ?? 1)) / (time?.toLowerCase() === 'min' ? 60 : 1))
}

/** Of `Remaining: 00:01:30`. */
function remainingOf(line: string): number | undefined {
  const [, hours, minutes, seconds] = /\bremaining:\s{0,20}(\d{1,3}):(\d\d):(\d\d)\b/i.exec(line) ?? []
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
