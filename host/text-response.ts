// Text responses as values: recognised by their class, so that a command may answer JSON with any keys.
import type { TextResponse } from './services.ts'

type Headers = TextResponse['headers']

class TextValue implements TextResponse {
  readonly type: string
  readonly body: string | AsyncIterable<string>
  readonly status: number
  readonly headers: Headers
  constructor(type: string, body: string | AsyncIterable<string>, status: number, headers: Headers) {
    this.type = type
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export const text = (
  type: string,
  body: string | AsyncIterable<string>,
  status = 200,
  headers: Headers = {},
): TextResponse => new TextValue(type, body, status, headers)
export const isText = (value: unknown): value is TextResponse => value instanceof TextValue
