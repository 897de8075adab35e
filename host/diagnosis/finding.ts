// One statement about the server or a client: how it is, in a plain sentence, and what to do about it.
import { stat } from 'node:fs/promises'
import type { DoctorFinding } from '../contract/services.ts'

export const fine = (check: string, text: string): DoctorFinding => ({ check, level: 'ok', text })

export const warning = (check: string, text: string, advice: string): DoctorFinding => ({
  check,
  level: 'warning',
  text,
  advice,
})

export const problem = (check: string, text: string, advice: string): DoctorFinding => ({
  check,
  level: 'problem',
  text,
  advice,
})

/** `2026-11-27 11:04 UTC`. */
export const timeText = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Undefined when it does not exist or may not be looked at. */
export const statsOf = (path: string) => stat(path).catch(() => undefined)
