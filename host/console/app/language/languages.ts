// The languages of the page, and which of them a browser begins with.

/** A file of this folder each. */
export const languageNames = {
  ca: 'Català',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  eu: 'Euskara',
  fr: 'Français',
  gl: 'Galego',
  pt: 'Português',
} as const

export type Language = keyof typeof languageNames

export const storageKey = 'fleet-language'

export const isLanguage = (name: string | null | undefined): name is Language =>
  typeof name === 'string' && name in languageNames

export const languageOf = (locale: string): string | undefined => locale.split('-')[0]

/** The one that was chosen in this browser, or else the first one that it asks for and that there is. */
export function firstLanguage(): Language {
  const stored = localStorage.getItem(storageKey)
  return isLanguage(stored) ? stored : (navigator.languages.map(languageOf).find(isLanguage) ?? 'en')
}

/** Of its texts: the page names a file for each language. */
export function pathOfLanguage(name: Language): string {
  const files: Record<string, string> = JSON.parse(document.documentElement.dataset.languages ?? '{}')
  return `/console/${files[name]}`
}
