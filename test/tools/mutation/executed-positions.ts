// Reads which positions of the source files processes have executed, from what Node writes for NODE_V8_COVERAGE.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../../harness/source-files.ts'
import { decodeMappings, type Segment } from './source-map.ts'

interface Range {
  startOffset: number
  endOffset: number
  count: number
}

interface ProcessCoverage {
  result: { url: string; functions: { ranges: Range[] }[] }[]
  'source-map-cache'?: Record<
    string,
    { lineLengths: number[]; data: { sources: string[]; mappings: string } | null } | undefined
  >
}

/** By the path of the file, by the line counted from 1: by the column, whether the code that begins there was executed. */
export type Positions = Map<string, Map<number, Map<number, boolean>>>

const isSource = (file: string) => /^(host|stores|commands)\/.*\.ts$/.test(file)

/** The scripts of a run are the same in all its processes. */
const scripts = new Map<string, { file: string; segments: Segment[] }[]>()

/** `folder` has the files of one test file and of the processes that it has started. */
export function executedIn(folder: string): Positions {
  const positions: Positions = new Map()
  for (const name of readdirSync(folder)) {
    const coverage = readProcess(join(folder, name))
    for (const { url, functions } of coverage?.result ?? []) {
      const map = coverage?.['source-map-cache']?.[url]
      if (!map?.data) continue
      const ranges = functions.flatMap(each => each.ranges)
      for (const source of sourcesOf(map.data, map.lineLengths)) addExecuted(positions, source, ranges)
    }
  }
  return positions
}

/** Undefined for a process that was killed while it wrote the file. */
function readProcess(file: string): ProcessCoverage | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function sourcesOf(data: { sources: string[]; mappings: string }, lineLengths: number[]) {
  const key = `${data.sources.join()} ${data.mappings}`
  const known = scripts.get(key)
  if (known) return known
  const files = data.sources.map(source =>
    source.startsWith('file:') ? relative(root, fileURLToPath(source)) : source,
  )
  const segments = files.some(isSource) ? decodeMappings(data.mappings, lineLengths) : []
  const sources = files
    .map((file, index) => ({ file, segments: segments.filter(({ source }) => source === index) }))
    .filter(({ file }) => isSource(file))
  scripts.set(key, sources)
  return sources
}

function addExecuted(positions: Positions, { file, segments }: { file: string; segments: Segment[] }, ranges: Range[]) {
  const lines = positions.get(file) ?? new Map<number, Map<number, boolean>>()
  positions.set(file, lines)
  // A range comes before those that are in it, whose counts are more exact.
  const sorted = ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const open: Range[] = []
  let next = 0
  for (const { offset, line, column } of segments) {
    for (let range = sorted[next]; range && range.startOffset <= offset; range = sorted[next]) {
      closeBefore(range.startOffset, open)
      open.push(range)
      next += 1
    }
    closeBefore(offset, open)
    const isExecuted = (open.at(-1)?.count ?? 0) > 0
    const columns = lines.get(line) ?? new Map<number, boolean>()
    lines.set(line, columns)
    columns.set(column, isExecuted || columns.get(column) === true)
  }
}

function closeBefore(offset: number, open: Range[]): void {
  for (let last = open.at(-1); last && last.endOffset <= offset; last = open.at(-1)) open.pop()
}
