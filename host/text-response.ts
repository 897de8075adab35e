// Text responses as values: recognised by their class, so that a command may answer JSON with any keys.
import type { TextResponse } from './services.ts'

class TextValue implements TextResponse {
  readonly type: string
  readonly body: string | AsyncIterable<string>
  readonly status: number
  constructor(type: string, body: string | AsyncIterable<string>, status: number) {
    this.type = type
    this.body = body
    this.status = status
  }
}

export const text = (type: string, body: string | AsyncIterable<string>, status = 200): TextResponse =>
  new TextValue(type, body, status)
export const isText = (value: unknown): value is TextResponse => value instanceof TextValue
