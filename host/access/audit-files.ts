// The files of the audit log in the data folder: one for each month in UTC, named `audit-2026-09.jsonl`.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isNotFound } from '../system/file-system.ts'

const form = /^audit-(\d{4}-\d{2})\.jsonl$/

/** The month of an ISO time, as `2026-09`. */
export const monthOf = (time: string): string => time.slice(0, 'yyyy-mm'.length)

export const auditFile = (folder: string, month: string): string => join(folder, `audit-${month}.jsonl`)

/** The months that have a file, in order. */
export async function listMonths(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names.flatMap(name => form.exec(name)?.[1] ?? []).sort()
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/** Deletes the files of months that ended more than `count` months before that of `time`; with 0 none. */
export async function deleteOldMonths(folder: string, time: string, count: number): Promise<void> {
  if (count === 0) return
  const oldest = numberOf(monthOf(time)) - count
  const months = await listMonths(folder)
  for (const month of months.filter(each => numberOf(each) < oldest)) await rm(auditFile(folder, month))
}

function numberOf(month: string): number {
  const [year, index] = month.split('-')
  return Number(year) * 12 + Number(index)
}
