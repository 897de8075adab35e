// The scripts of pages that are loaded after the first one.
import { script } from '../state/scripts.ts'

export const daily = script(() => import('./daily.ts'))
export const further = script(() => import('./further.ts'))
