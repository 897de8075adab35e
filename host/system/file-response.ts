// Responds with a file to computers that download it, whole or in parts.
import { type FileHandle, open } from 'node:fs/promises'
import type { Request, TextResponse } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import { isNotFound } from './file-system.ts'

/** Bytes that are read at once: of 30 computers 8 MB are in memory. */
const sliceBytes = 256 * 1024

/** 404 where there is none. */
export async function respondWithFile(
  path: string,
  header: Request['header'],
  type = 'application/octet-stream',
): Promise<TextResponse> {
  const handle = await open(path).catch(ignoreNotFound)
  if (!handle) return notFound()
  try {
    return await respond(handle, header, type)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function respond(handle: FileHandle, header: Request['header'], type: string): Promise<TextResponse> {
  const { size, mtimeMs, ino } = await handle.stat()
  // A build that has replaced this one has other files.
  const etag = `"${ino}-${size}-${mtimeMs}"`
  const headers = { 'Accept-Ranges': 'bytes', ETag: etag }
  const condition = header('If-Range')
  const range = condition === '' || condition === etag ? rangeOf(header('Range'), size) : undefined
  const isOutside = range !== undefined && range.start > range.end
  if (size === 0 || isOutside) await handle.close()
  if (isOutside) return text(type, '', 416, { ...headers, 'Content-Range': `bytes */${size}` })
  if (size === 0) return text(type, '', 200, headers)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const length = { 'Content-Length': String(end - start + 1) }
  const body = () => handle.createReadStream({ start, end, highWaterMark: sliceBytes })
  if (!range) return text(type, body(), 200, { ...headers, ...length })
  return text(type, body(), 206, { ...headers, ...length, 'Content-Range': `bytes ${start}-${end}/${size}` })
}

export const notFound = () => text('text/plain', '', 404)

/**
 * The first and the last byte; `start` is greater where the file has none of them. Undefined for the whole file:
 * without a range, for several ones, and for other units.
 */
function rangeOf(header: string, size: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return { start: Number(last) === 0 ? size : Math.max(0, size - Number(last)), end: size - 1 }
  // A range that ends before it begins is none.
  if (last !== '' && Number(last) < Number(first)) return undefined
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(size - 1, Number(last)) }
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error, ['ENOTDIR', 'ELOOP'])) throw error
}
