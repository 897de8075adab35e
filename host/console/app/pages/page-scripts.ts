// The script that is loaded after the first page, and its style sheet.
import { script } from '../state/scripts.ts'

/** Rejects when it cannot be read. */
const addStyle = () =>
  new Promise((resolve, reject) => {
    const rel = 'stylesheet'
    const href = document.documentElement.dataset.laterStyle ?? ''
    document.head.append(Object.assign(document.createElement('link'), { rel, href, onload: resolve, onerror: reject }))
  })

export const later = script(async () => (await Promise.all([import('./later.ts'), addStyle()]))[0])
