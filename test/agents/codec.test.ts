// The codec alone: every fixture whole, byte by byte, and two answers in one chunk.
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { createDecoder, encodeRequest, FramingError, type Message, toWireJson } from '../../host/agents/codec.ts'

const limit = 131_072

function decode(chunks: (string | Buffer)[], most = limit): Message[] {
  const messages: Message[] = []
  const decoder = createDecoder(most, message => messages.push(message))
  for (const chunk of chunks) decoder.feed(Buffer.from(chunk))
  return messages
}

const bytewise = (text: string) => [...Buffer.from(text)].map(byte => Buffer.of(byte))

const fixtures: Record<string, [string, Message]> = {
  'HTTP/1.0 without a body': ['HTTP/1.0 200 OK\r\n\r\n', { status: 200, body: undefined }],
  'HTTP/1.1 with a body': ['HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"ok"', { status: 200, body: '"ok"' }],
  'header names in any case': ['HTTP/1.0 200 OK\r\ncontent-LENGTH:2\r\n\r\n{}', { status: 200, body: '{}' }],
  'a status line without a phrase': ['HTTP/1.0 202\r\n\r\n', { status: 202, body: undefined }],
  'a length of zero': ['HTTP/1.0 500 X\r\nContent-Length: 0\r\n\r\n', { status: 500, body: undefined }],
  'bytes of several a character': ['HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\n"ñ"', { status: 200, body: '"ñ"' }],
  'a body with line breaks': [
    'HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\n\r\n\r\n{}',
    { status: 200, body: '\r\n\r\n{}' },
  ],
}

const answers = suite('answers')

for (const [name, [text, message]] of Object.entries(fixtures)) {
  answers(`${name}: whole`, () => equal(decode([text]), [message]))
  answers(`${name}: byte by byte`, () => equal(decode(bytewise(text)), [message]))
  answers(`${name}: two in one chunk`, () => equal(decode([text + text]), [message, message]))
  answers(`${name}: split anywhere`, () => {
    const bytes = Buffer.from(text + text)
    for (let at = 1; at < bytes.length; at += 1) {
      equal(decode([bytes.subarray(0, at), bytes.subarray(at)]), [message, message])
    }
  })
}

answers('a message as long as the limit is taken, a longer one is not', () => {
  const head = 'HTTP/1.0 200 OK\r\nContent-Length: 900\r\n\r\n'
  const text = head + ' '.repeat(900)
  is(decode([text], text.length).length, 1)
  throws(
    () => decode([head], text.length - 1),
    (error: unknown) => error instanceof FramingError,
  )
})

answers('what came whole before bytes that are no message is not lost', () => {
  const seen: Message[] = []
  const decoder = createDecoder(limit, message => seen.push(message))
  throws(() => decoder.feed(Buffer.from('HTTP/1.0 200 OK\r\n\r\nrubbish')))
  equal(seen, [{ status: 200, body: undefined }])
})

answers.run()

const broken = suite('bytes that are no message')

const rubbish: Record<string, [string, RegExp]> = {
  'no HTTP': ['SSH-2.0-OpenSSH\r\n', /no HTTP response/],
  'an HTTP request': ['GET / HTTP/1.1\r\n\r\n', /no HTTP response/],
  'HTTP/2': ['HTTP/2 200\r\n\r\n', /no HTTP response/],
  'a status that is no number': ['HTTP/1.1 abc\r\n\r\n', /status line/],
  'a status below 100': ['HTTP/1.1 020 OK\r\n\r\n', /status line/],
  'a header line without a colon': ['HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', /header field/],
  'a length that is no number': ['HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n', /Content-Length/],
  'a negative length': ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', /Content-Length/],
  'two lengths that differ': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', /Content-Length/],
  'a chunked body': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', /Transfer-Encoding/],
  'a header of more than 8 KiB': [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(8192)}`, /endless header/],
}

for (const [name, [text, reason]] of Object.entries(rubbish)) {
  broken(`${name}: whole`, () => throws(() => decode([text]), reason))
  broken(`${name}: byte by byte`, () => throws(() => decode(bytewise(text)), reason))
}

broken('the first wrong byte is enough', () => throws(() => decode(['X']), /no HTTP response/))

broken.run()

const requests = suite('requests')

requests('carry these two header fields, CRLF line ends and a body of one line', () => {
  equal(
    encodeRequest('POST /shell/run', toWireJson({ run: 'a\nb', echo: true })).toString(),
    'POST /shell/run HTTP/1.1\r\nContent-Length: 26\r\nContent-Type: application/json\r\n\r\n{"run":"a\\nb","echo":true}',
  )
})

requests('have a Content-Length of 0 without a body', () => {
  match(encodeRequest('GET /refresh', '').toString(), /^GET \/refresh HTTP\/1\.1\r\nContent-Length: 0\r\n/)
})

requests('escape every character that is not ASCII, so that characters and bytes count the same', () => {
  const text = 'ñ 漢 😀 \u007f \u2028'
  const json = toWireJson({ text })
  match(json, /^[\x20-\x7e]*$/)
  equal(JSON.parse(json), { text })
  const request = encodeRequest('POST /shell/run', json).toString()
  match(request, `Content-Length: ${json.length}\r\n`)
})

requests.run()
