// What the lines of a live system's console log mean: the texts of the programs that copy images, a table.
import type { LogOptions } from '../config/options.ts'

/**
 * `error`: the command has failed. `progress`: has the group `percent`. `done`: the copy is complete. `ignore`: means
 * nothing, although a later pattern matches it.
 */
export type LineMeaning = 'error' | 'progress' | 'done' | 'ignore'

export interface LogPattern {
  means: LineMeaning
  pattern: RegExp
}

/** The first pattern that matches a line decides. test/images/fixtures has the lines that they were written for. */
const builtInPatterns: readonly LogPattern[] = [
  // Texts that only look like errors: fsck, ntfsclone, options of mount.
  { means: 'ignore', pattern: /\b(?:no|0|zero|without|ignor\w*) (?:\w+ )?errors?\b/i },
  { means: 'ignore', pattern: /\berrors? (?:log|check|correction|report)/i },

  // The disk or the repository is full, or the partition is too small.
  { means: 'error', pattern: /no space left/i },
  { means: 'error', pattern: /disk quota exceeded/i },
  { means: 'error', pattern: /target partition size.* is smaller/i },
  { means: 'error', pattern: /(?:device|volume|partition) is too small|not enough (?:free )?(?:space|memory)/i },
  { means: 'error', pattern: /no enough free memory/i },

  // The stream has ended early or is not what it should be: gzip, lzop, lz4, xz, zstd, pigz, tar, partclone.
  {
    means: 'error',
    pattern: /unexpected (?:eof|end)\b|premature end|unfinished stream|truncated (?:input|stream|file)/i,
  },
  { means: 'error', pattern: /broken pipe/i },
  { means: 'error', pattern: /connection (?:reset|lost|refused|timed out|unexpectedly closed)/i },
  { means: 'error', pattern: /not (?:in|a|an) \w+ (?:format|file)\b|is not (?:a )?partclone image/i },
  { means: 'error', pattern: /invalid compressed data|\bcorrupt(?:ed|ion)?\b|checksum (?:mismatch|failed)/i },

  // The disk, and programs that were ended.
  { means: 'error', pattern: /read-only file system/i },
  { means: 'error', pattern: /out of memory|segmentation fault|\bkilled\b/i },
  { means: 'error', pattern: /partclone fail|dropping client/i },
  { means: 'error', pattern: /\berror\b/i },

  { means: 'done', pattern: /cloned successfully|successfully cloned/i },
  // `Completed:  12.34%` while it copies, `100.00% completed!` at the end; `12.34 percent completed` of ntfsclone.
  { means: 'progress', pattern: /\bcompleted:\s*(?<percent>\d{1,3}(?:\.\d+)?)\s*%/i },
  { means: 'progress', pattern: /(?<percent>\d{1,3}(?:\.\d+)?)\s*(?:%|percent) completed/i },
]

/** Those of the site come first, so that they can overrule the built-in ones. */
export const withSitePatterns = (patterns: LogOptions['patterns']): readonly LogPattern[] => [
  ...patterns.map(({ means, pattern }) => ({ means, pattern: new RegExp(pattern, 'i') })),
  ...builtInPatterns,
]

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
export function readLine(line: string, patterns: readonly LogPattern[]): LogLine | undefined {
  for (const { means, pattern } of patterns) {
    const match = pattern.exec(line)
    if (!match) continue
    if (means === 'ignore') return undefined
    if (means !== 'progress') return { means }
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
  const [, digits, unit = '', time] = /\brate:\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b(?:yte)?s?\/(min|s)/i.exec(line) ?? []
  if (digits === undefined) return undefined
  return Math.round((Number(digits) * (units[unit.toLowerCase()] ?? 1)) / (time?.toLowerCase() === 'min' ? 60 : 1))
}

/** Of `Remaining: 00:01:30`. */
function remainingOf(line: string): number | undefined {
  const [, hours, minutes, seconds] = /\bremaining:\s*(\d{1,3}):(\d\d):(\d\d)\b/i.exec(line) ?? []
  return hours === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
