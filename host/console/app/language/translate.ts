// The texts of the page in the language of the user: `t('key')`. A text names its values in braces.
import { signal } from '@preact/signals'
import { silenceLimits, urlOf } from '../api/request.ts'
import type en from './en.json'

export type MessageKey = keyof typeof en

export type Language = 'en' | 'es'
export const languageNames: Record<Language, string> = { en: 'English', es: 'Español' }

const storageKey = 'fleet-language'

const isLanguage = (name: string | null): name is Language => name === 'en' || name === 'es'

function firstLanguage(): Language {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.language.startsWith('es') ? 'es' : 'en'
}

export const language = signal<Language>(firstLanguage())
const messages = signal<Readonly<Record<string, string>>>({})

/** To be awaited before the page is shown. */
export async function loadLanguage(): Promise<void> {
  await show(language.peek())
}

export async function setLanguage(next: string): Promise<void> {
  if (!isLanguage(next)) return
  localStorage.setItem(storageKey, next)
  await show(next)
}

async function show(next: Language): Promise<void> {
  messages.value = await readMessages(next)
  document.documentElement.lang = next
  language.value = next
}

/** The page names a file for each language; a browser loads the one that it shows. */
async function readMessages(name: Language): Promise<Record<string, string>> {
  const files: Record<string, string> = JSON.parse(document.documentElement.dataset.languages ?? '{}')
  const response = await fetch(urlOf(`/console/${files[name]}`), { signal: AbortSignal.timeout(silenceLimits.GET) })
  return response.json()
}

export type Values = Readonly<Record<string, string | number>>

/** Where the same key with `_one` at its end exists, that one is for `n` = 1. */
export function t(key: MessageKey, values: Values = {}): string {
  const texts = messages.value
  const form = values.n === 1 ? (texts[`${key}_one`] ?? texts[key]) : texts[key]
  return (form ?? key).replaceAll(/\{(\w+)\}/g, (_, name: string) => formatValue(values[name]))
}

/** For keys that are made at run time from a fixed set: undefined when there is none. */
export const tryTranslate = (key: string): string | undefined =>
  key in messages.value ? t(key as MessageKey) : undefined // `as`: there is a text

const formatValue = (value: string | number | undefined): string =>
  typeof value === 'number' ? formatNumber(value) : (value ?? '')

export const formatNumber = (value: number): string => value.toLocaleString(language.value)

/** Time of today as `14:05:09`, else with the date. */
export function formatTime(iso: string | number | undefined): string {
  if (iso === undefined || iso === 0) return ''
  const date = new Date(iso)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday
    ? date.toLocaleTimeString(language.value)
    : date.toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' })
}

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Decimal units, as disks are sold. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value.toLocaleString(language.value, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[unit]}`
}
