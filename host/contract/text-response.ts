// Text responses as values: recognised by their class, so that a command may answer JSON with any keys.
import type { TextResponse } from './services.ts'

type Body = TextResponse['body']
type Headers = TextResponse['headers']

class TextValue implements TextResponse {
  readonly type: string
  readonly body: Body
  readonly status: number
  readonly headers: Headers
  constructor(type: string, body: Body, status: number, headers: Headers) {
    this.type = type
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export const text = (type: string, body: Body, status = 200, headers: Headers = {}): TextResponse =>
  new TextValue(type, body, status, headers)
export const isText = (value: unknown): value is TextResponse => value instanceof TextValue
