// The script that is loaded after the first page.
import { script } from '../state/scripts.ts'

export const later = script(() => import('./later.ts'))
