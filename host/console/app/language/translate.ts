// The texts of the page in the language of the user: `t('key')`. A text names its values in braces.
import { computed, signal } from '@preact/signals'
import { get } from '../api/request.ts'
import type en from './en.json'
import { firstLanguage, isLanguage, type Language, languageOf, pathOfLanguage, storageKey } from './languages.ts'

export type MessageKey = keyof typeof en

export const language = signal<Language>(firstLanguage())

/** Where the browser does not say which one: not the American or Brazilian ways to write dates and numbers. */
const usualLocales: Readonly<Record<string, string>> = { en: 'en-GB', pt: 'pt-PT' }

/** How times and numbers are written: as the browser asks for it, where that is of the page's language. */
export const locale = computed(() => {
  const asked = navigator.languages.find(each => languageOf(each) === language.value) ?? language.value
  return usualLocales[asked] ?? asked
})

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
  // By the first word of their keys.
  const { value = {} } = await get<Record<string, Record<string, string>>>(pathOfLanguage(next))
  const withWholeKeys = Object.entries(value).flatMap(([group, texts]) =>
    Object.entries(texts).map(([key, text]) => [`${group}.${key}`, text]),
  )
  messages.value = Object.fromEntries(withWholeKeys)
  document.documentElement.lang = next
  language.value = next
}

export type Values = Readonly<Record<string, string | number>>

/** Where the same key with `_one` at its end exists, that one is for `n` = 1. */
export function t(key: MessageKey, values: Values = {}): string {
  const texts = messages.value
  const form = values.n === 1 ? (texts[`${key}_one`] ?? texts[key]) : texts[key]
  return (form ?? key).replaceAll(/\{(\w+)\}/g, (_, name: string) => formatValue(values[name]))
}

/** For keys that are made at run time from a fixed set: undefined when there is none. */
export const tryTranslate = (key: string, values?: Values): string | undefined =>
  key in messages.value ? t(key as MessageKey, values) : undefined // `as`: there is a text

const formatValue = (value: string | number | undefined): string =>
  typeof value === 'number' ? formatNumber(value) : (value ?? '')

export const formatNumber = (value: number): string => value.toLocaleString(locale.value)

/** Time of today as `14:05`, else with the date. */
export function formatTime(iso: string | number | undefined): string {
  if (iso === undefined || iso === 0) return ''
  const date = new Date(iso)
  const isToday = date.toDateString() === new Date().toDateString()
  return date.toLocaleString(locale.value, {
    ...(!isToday && { dateStyle: 'medium' }),
    timeStyle: 'short',
    hourCycle: 'h23',
  })
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
  return `${value.toLocaleString(locale.value, { maximumFractionDigits: value < 10 ? 1 : 0 })} ${units[unit]}`
}
