// What commands ask of views: which there are, and what one of them shows.
import type { viewAnswer, viewEntry, viewQuestion } from '../../commands/_schemas/views.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal, Rights } from './request.ts'

export type ViewEntry = FromSchema<typeof viewEntry>
/** What a view shows, with its kind in `view`. */
export type ViewAnswer = FromSchema<typeof viewAnswer>
export type ViewQuestion = FromSchema<typeof viewQuestion>

export interface ViewsService {
  /** Those that the caller may see, by name. */
  list(rights: Rights): ViewEntry[]
  /** Refused with 500 when the view throws, takes too long, or returns something else than its kind does. */
  ask(name: string, question: ViewQuestion, rights: Rights): Promise<ViewAnswer | Refusal>
}
