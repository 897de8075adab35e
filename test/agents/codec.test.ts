// The codec without a connection: every reply whole, byte by byte, split anywhere, and two in one chunk.
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { Decoder, encodeRequest, FramingError, type Message, toWireJson } from '../../host/agents/connection/codec.ts'

const limit = 131_072

function decode(chunks: (string | Buffer)[], maxBytes = limit): Message[] {
  const messages: Message[] = []
  const decoder = new Decoder(maxBytes, message => messages.push(message))
  for (const chunk of chunks) decoder.feed(Buffer.from(chunk))
  return messages
}

const splitBytes = (text: string) => [...Buffer.from(text)].map(byte => Buffer.of(byte))

const replies: Record<string, [string, Message]> = {
  'HTTP/1.0 without a body': ['HTTP/1.0 200 OK\r\n\r\n', { status: 200, body: undefined }],
  'HTTP/1.1 with a body': ['HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"ok"', { status: 200, body: '"ok"' }],
  'header names in any case': ['HTTP/1.0 200 OK\r\ncontent-LENGTH:2\r\n\r\n{}', { status: 200, body: '{}' }],
  'a status line without a phrase': ['HTTP/1.0 202\r\n\r\n', { status: 202, body: undefined }],
  'a length of zero': ['HTTP/1.0 500 X\r\nContent-Length: 0\r\n\r\n', { status: 500, body: undefined }],
  'characters of several bytes': ['HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\n"ñ"', { status: 200, body: '"ñ"' }],
  'blanks around the length, which comes twice': [
    'HTTP/1.0 200 OK\r\nContent-Length: \t2 \r\ncontent-length:2\r\n\r\n{}',
    { status: 200, body: '{}' },
  ],
  'a body with line breaks': [
    'HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\n\r\n\r\n{}',
    { status: 200, body: '\r\n\r\n{}' },
  ],
}

const decoding = suite('decoding of replies')

for (const [name, [text, message]] of Object.entries(replies)) {
  decoding(`${name}, in one chunk`, () => equal(decode([text]), [message]))
  decoding(`${name}, byte by byte`, () => equal(decode(splitBytes(text)), [message]))
  decoding(`${name}, twice in one chunk`, () => equal(decode([text + text]), [message, message]))
  decoding(`${name}, twice and split anywhere`, () => {
    const bytes = Buffer.from(text + text)
    for (let at = 1; at < bytes.length; at += 1) {
      equal(decode([bytes.subarray(0, at), bytes.subarray(at)]), [message, message])
    }
  })
}

decoding('a message of the maximum length is decoded, a longer one is an error', () => {
  const head = 'HTTP/1.0 200 OK\r\nContent-Length: 900\r\n\r\n'
  const text = head + ' '.repeat(900)
  is(decode([text], text.length).length, 1)
  throws(
    () => decode([head], text.length - 1),
    (error: unknown) => error instanceof FramingError,
  )
})

decoding('a complete message before invalid bytes is decoded', () => {
  const messages: Message[] = []
  const decoder = new Decoder(limit, message => messages.push(message))
  throws(() => decoder.feed(Buffer.from('HTTP/1.0 200 OK\r\n\r\nrubbish')))
  equal(messages, [{ status: 200, body: undefined }])
})

decoding('heads that begin alike are told apart, also when one of them has just been read', () => {
  const reply = (head: string, body: string) => `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const texts = [reply('200 OK', '{}'), reply('200 OK', '[]'), reply('200 OK', '"longer"'), reply('202 OK', '{}')]
  const messages = [
    { status: 200, body: '{}' },
    { status: 200, body: '[]' },
    { status: 200, body: '"longer"' },
    { status: 202, body: '{}' },
  ]
  equal(decode([...texts, ...texts]), [...messages, ...messages])
  equal(decode([texts.join('')]), messages)
  equal(decode(splitBytes(texts.join(''))), messages)
})

decoding('the limit of a connection holds for a head that another one has just read', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
  equal(decode([text]), [{ status: 200, body: '{}' }])
  throws(
    () => decode([text], text.length - 1),
    (error: unknown) => error instanceof FramingError,
  )
})

decoding.run()

const errors = suite('invalid bytes')

const invalidReplies: Record<string, [string, RegExp]> = {
  'not HTTP': ['SSH-2.0-OpenSSH\r\n', /status line: expected HTTP\/1\.x/],
  'an HTTP request': ['GET / HTTP/1.1\r\n\r\n', /status line: expected HTTP\/1\.x/],
  'HTTP/2': ['HTTP/2 200\r\n\r\n', /status line: expected HTTP\/1\.x/],
  'a status that is not a number': ['HTTP/1.1 abc\r\n\r\n', /status line: expected a status/],
  'a status below 100': ['HTTP/1.1 020 OK\r\n\r\n', /status line: expected a status/],
  'a status of four digits': ['HTTP/1.1 2000 OK\r\n\r\n', /status line: expected a status/],
  'a header name with a blank': ['HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n', /header: expected "Name: value"/],
  'a header line without a name': ['HTTP/1.1 200 OK\r\n: 2\r\n\r\n', /header: expected "Name: value"/],
  'a line feed within a header line': ['HTTP/1.1 200 OK\r\nX: a\nb\r\n\r\n', /header: expected "Name: value"/],
  'a length of 16 digits': ['HTTP/1.1 200 OK\r\nContent-Length: 0000000000000001\r\n\r\n', /Content-Length/],
  'an empty length': ['HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n', /Content-Length/],
  'a header line without a colon': ['HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', /header: expected "Name: value"/],
  'a length that is not a number': ['HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n', /Content-Length/],
  'a negative length': ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', /Content-Length/],
  'two lengths that differ': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', /Content-Length/],
  'a chunked body': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', /got Transfer-Encoding/],
  'a header of more than 8 KiB': [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(8192)}`, /header: expected at most 8192 bytes/],
}

for (const [name, [text, reason]] of Object.entries(invalidReplies)) {
  errors(`${name}, in one chunk`, () => throws(() => decode([text]), reason))
  errors(`${name}, byte by byte`, () => throws(() => decode(splitBytes(text)), reason))
}

errors('the first invalid byte is an error', () => throws(() => decode(['X']), /status line: expected HTTP\/1\.x/))

errors.run()

const encoding = suite('encoding of requests')

encoding('a request has two headers, CRLF line ends and a body of one line', () => {
  equal(
    encodeRequest('POST /shell/run', toWireJson({ run: 'a\nb', echo: true })).toString(),
    'POST /shell/run HTTP/1.1\r\nContent-Length: 26\r\nContent-Type: application/json\r\n\r\n{"run":"a\\nb","echo":true}',
  )
})

encoding('a request without a body has a Content-Length of 0', () => {
  match(encodeRequest('GET /refresh', '').toString(), /^GET \/refresh HTTP\/1\.1\r\nContent-Length: 0\r\n/)
})

encoding('every character that is not ASCII is escaped, so that the body has as many bytes as characters', () => {
  const text = 'ñ 漢 😀 \u007f \u2028'
  const json = toWireJson({ text })
  match(json, /^[\x20-\x7e]*$/)
  equal(JSON.parse(json), { text })
  const request = encodeRequest('POST /shell/run', json).toString()
  match(request, `Content-Length: ${json.length}\r\n`)
})

encoding.run()
