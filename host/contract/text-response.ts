// Text responses as values: recognised by their class, so that a command may answer JSON with any keys.
import type { Services, TextResponse } from './services.ts'

class TextValue {}

export const text: Services['text'] = (type, body, status = 200, headers = {}) =>
  Object.assign(new TextValue(), { type, body, status, headers })
export const isText = (value: unknown): value is TextResponse => value instanceof TextValue
