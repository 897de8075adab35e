// Mail of the pack notifications, to a real mail server with TLS.
import { SMTPServer } from 'smtp-server'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startNotifications } from '../harness/notifications.ts'
import { readTlsFiles, serverCertificate } from '../harness/transport.ts'

const test = suite('mail of notifications')

interface Mail {
  to: string[]
  text: string
  isSecure: boolean
  user: string
}

/** Takes mail over STARTTLS for the user `fleet` with the password `secret`. */
async function startMailServer() {
  const mails: Mail[] = []
  const server = new SMTPServer({
    ...readTlsFiles(),
    onAuth({ username, password }, _, callback) {
      if (username === 'fleet' && password === 'secret') callback(null, { user: username })
      else callback(new Error('wrong password'))
    },
    onData(stream, session, callback) {
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', chunk => {
        text += chunk
      })
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, text, isSecure: session.secure, user: String(session.user) })
        callback()
      })
    },
  })
  // Clients that end a handshake are no fault of the server.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = address instanceof Object ? address.port : 0
  const mail = { host: '127.0.0.1', port, sender: 'fleet@example.org', user: 'fleet', password: 'secret' }
  return { mails, mail, close: () => new Promise<void>(resolve => server.close(() => resolve())) }
}

const ca = serverCertificate.toString()
const set = (settings: object) => ({ pack: 'notifications', settings })

test('messages for one target that are due together are one mail, over TLS', async () => {
  const { mails, mail, close } = await startMailServer()
  const lab = await startNotifications({ clients: 1, settings: { mail, ca } })
  await lab.addTarget('staff', { kind: 'mail', to: ['anna@example.org', 'ben@example.org'] })
  await lab.addRule('failed jobs', { events: ['job-finished'], targets: ['staff'] })
  await lab.addRule('all jobs', { events: ['job-finished'], outcome: 'any', targets: ['staff'] })
  await lab.fail()
  is(mails.length, 1)
  const [one] = mails
  equal(one?.to, ['anna@example.org', 'ben@example.org'])
  equal([one?.isSecure, one?.user], [true, 'fleet'])
  match(one?.text ?? '', /Subject: 2 messages of fleet-host/)
  match(one?.text ?? '', /\(rule failed jobs\)/)
  match(one?.text ?? '', /\(rule all jobs\)/)
  match(one?.text ?? '', /Message-ID: <msg_\d{13}-[0-9a-f]{16}@example\.org>/)
  is((await lab.collections.log.list()).length, 2)
  await lab.stop()
  await close()
})

test('settings with a mail server whose certificate is not known, or with a wrong password, are refused', async () => {
  const { mail, close } = await startMailServer()
  const lab = await startNotifications()
  const refused = async (settings: object) => (await lab.post('/pack/settings', set(settings))).reason
  match(await refused({ mail }), /^mail\.host: .*self-signed certificate/)
  match(await refused({ mail: { ...mail, password: 'other' }, ca }), /^mail\.host: .*wrong password/)
  match(await refused({ mail: { ...mail, port: 1 }, ca }), /^mail\.host: .*ECONNREFUSED/)
  match(await refused({ mail: { ...mail, sender: 'x' }, ca }), /^mail\.sender: expected a mail address/)
  is((await lab.post('/pack/settings', set({ mail, ca }))).status, 200)
  await lab.stop()
  await close()
})

test('a mail server whose certificate has become a wrong one gets no mail, and one that is down gets it later', async () => {
  const { mails, mail, close } = await startMailServer()
  const lab = await startNotifications({ clients: 1, settings: { mail, ca } })
  await lab.addTarget('staff', { kind: 'mail', to: ['anna@example.org'] })
  await lab.addRule('failed jobs', { events: ['job-finished'], targets: ['staff'] })
  await lab.post('/pack/settings', set({ mail: { ...mail, host: '' } }))
  await lab.fail()
  const problem = async () => (await lab.get('/view/deliveries')).json.rows[0].error
  match(await problem(), /name no mail server/)
  await lab.post('/pack/settings', set({ mail, ca }))
  await lab.advance('10 seconds')
  is(mails.length, 1)
  await lab.stop()
  await close()
})

test.run()
