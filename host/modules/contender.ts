// What is known of a module file when files compete for routes and names.
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { ModulePlace } from './checked.ts'

/** A module file that competes with others. */
export interface Contender {
  file: string
  /** `built-in`, or where a site's file comes from. */
  origin: string
  place: ModulePlace
  /** Lower for files that were seen earlier. */
  sequence: number
  /** That of the newest content, if that could be loaded. */
  newest?: LoadedModule | undefined
  /** The version in service. */
  served?: LoadedModule | undefined
  /** The last version that was good, in service or not. */
  lastGood?: LoadedModule | undefined
  /** When the file disappeared. */
  missingSince?: number | undefined
}
