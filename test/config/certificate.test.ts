// The certificate of the REST API: what is refused at the start, when it is renewed, and the warnings before it expires.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, throws } from 'uvu/assert'
import { Certificate, openCertificate } from '../../host/config/certificate.ts'
import { loadOptions, OptionsError } from '../../host/config/options.ts'
import { createLog } from '../../host/log/log.ts'
import { systemClock } from '../../host/system/clock.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { fixture } from '../harness/transport.ts'

const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
const use = (name: string) => {
  copyFileSync(fixture(`${name}-cert.pem`), files.cert)
  copyFileSync(fixture(`${name}-key.pem`), files.key)
}
const expiry = Date.parse('2126-10-29T01:13:32Z')
const day = 86_400_000

const test = suite('certificate')
test.before.each(() => use('server'))
test.after(() => rmSync(folder, { recursive: true }))

function open(clock = systemClock) {
  const lines: string[] = []
  const certificate = new Certificate({ files, log: createLog(text => lines.push(text)), clock })
  const renewed: unknown[] = []
  certificate.onRenewed(context => renewed.push(context))
  return { certificate, lines, renewed }
}

const refusedStart = (reason: RegExp) =>
  throws(open, (error: unknown) => {
    is(error instanceof OptionsError, true)
    match(String(error), reason)
    return true
  })

test('a file that is missing, empty or belongs to another key is an error that names it', () => {
  rmSync(files.key)
  refusedStart(/rest\.tls\.key: expected a file that can be read, got ENOENT.*key\.pem/)
  writeFileSync(files.key, '')
  refusedStart(
    /rest\.tls: expected a certificate in \S+cert\.pem and its private key in \S+key\.pem, got .*(PEM|DECODER)/,
  )
  copyFileSync(fixture('renewed-key.pem'), files.key)
  refusedStart(/rest\.tls: expected a certificate in .*, got .*key values mismatch/)
})

test('TLS 1.2 is the oldest version', () => {
  const { certificate } = open()
  is(certificate.context.minVersion, 'TLSv1.2')
  certificate.close()
})

test('a renewed pair is in use once, an equal one is no renewal', () => {
  const { certificate, lines, renewed } = open()
  certificate.reload()
  equal([renewed.length, lines], [0, []])
  use('renewed')
  certificate.reload()
  certificate.reload()
  equal([renewed.length, lines.length], [1, 1])
  match(lines[0] ?? '', /info {2}rest: certificate renewed from \S+cert\.pem, expires on 2126-10-29/)
  certificate.close()
})

test('a pair that cannot be used leaves the old one in use, with one line', () => {
  const { certificate, lines, renewed } = open()
  const before = certificate.context
  writeFileSync(files.cert, 'nonsense')
  certificate.reload()
  certificate.reload()
  equal([renewed.length, lines.length, certificate.context], [0, 1, before])
  match(lines[0] ?? '', /warn {2}rest: certificate not renewed, the old one stays: rest\.tls: expected a certificate/)
  use('renewed')
  certificate.reload()
  equal([renewed.length, lines.length], [1, 2])
  certificate.close()
})

test('changed files are noticed without a signal', async () => {
  const { certificate } = open()
  const renewed = new Promise(resolve => certificate.onRenewed(resolve))
  // Looking at the files does not keep a process running.
  const timer = setInterval(() => {}, 1000)
  use('renewed')
  await renewed
  clearInterval(timer)
  certificate.close()
})

test('from 14 days before it expires, a line warns at the start and every day', async () => {
  const clock = createManualClock(new Date(expiry - 14.5 * day))
  const { certificate, lines } = open(clock)
  equal([certificate.days, lines], [14, []])
  await clock.advance(day)
  equal([certificate.days, lines.length], [13, 1])
  match(lines[0] ?? '', /warn {2}rest: the certificate in \S+cert\.pem expires in 13 days, on 2126-10-29/)
  await clock.advance(14 * day)
  equal([certificate.days, lines.length], [-1, 15])
  match(lines[14] ?? '', /has expired, on 2126-10-29/)
  certificate.close()
  await clock.advance(day)
  is(lines.length, 15)
})

test('plain HTTP on an address that is not loopback is one warning', () => {
  const { rest } = loadOptions().options
  const lines: string[] = []
  const log = createLog(text => lines.push(text))
  for (const ip of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) openCertificate({ ...rest, ip }, log, systemClock)
  equal(lines, [])
  for (const ip of ['0.0.0.0', '10.1.1.1', '::']) openCertificate({ ...rest, ip }, log, systemClock)
  is(lines.length, 3)
  match(lines[0] ?? '', /warn {2}rest: plain HTTP on 0\.0\.0\.0: tokens and passwords can be read on the network/)
})

test.run()
