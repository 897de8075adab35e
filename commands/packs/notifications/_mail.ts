// Sends mail: all messages that wait for one target in one mail.
import { linesOf, type Outgoing } from './_bodies.ts'
import { authorities, sendMilliseconds } from './_http.ts'
import type { Settings, Target } from './_schemas.ts'

type MailSettings = Pick<Settings, 'mail' | 'ca'>

/** Messages in one mail. */
export const mailMessages = 50

/** Why mail cannot be sent with these settings: the server is asked. */
export async function verifyMail(settings: MailSettings): Promise<string | undefined> {
  const { host, sender } = settings.mail
  if (host === '') return undefined
  if (!isMailAddress(sender)) return `mail.sender: expected a mail address, got ${sender || 'none'}`
  try {
    await withTransport(settings, AbortSignal.timeout(sendMilliseconds), transport => transport.verify())
  } catch (error) {
    return `mail.host: ${error instanceof Error ? error.message : error}`
  }
  return undefined
}

export const isMailAddress = (text: string) => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text)

/** Rejects unless the server has taken it for all recipients. */
export async function sendMail(
  { to = [] }: Target,
  messages: readonly Outgoing[],
  settings: MailSettings,
  signal: AbortSignal,
): Promise<void> {
  const { host, sender } = settings.mail
  if (host === '') throw new Error('the settings name no mail server')
  const [first] = messages
  const subject = messages.length === 1 ? first?.delivery.title : `${messages.length} messages of fleet-host`
  const mail = {
    from: sender,
    to: [...to],
    subject: subject ?? '',
    text: messages.map(sectionOf).join('\n\n'),
    messageId: `<${first?.id ?? ''}@${sender.split('@')[1] ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(sendMilliseconds)])
  const { rejected } = await withTransport(settings, limit, transport => transport.sendMail(mail))
  if (rejected.length > 0) throw new Error(`the mail server refused ${rejected.map(String).join(', ')}`)
}

const sectionOf = ({ delivery }: Outgoing) =>
  [delivery.title, ...linesOf(delivery).map(line => `  ${line}`), `  (rule ${delivery.rule})`].join('\n')

async function withTransport<Result>(
  { mail, ca }: MailSettings,
  signal: AbortSignal,
  use: (transport: Awaited<ReturnType<typeof connect>>) => Promise<Result>,
): Promise<Result> {
  const transport = await connect({ mail, ca })
  try {
    const aborted = new Promise<never>((_, reject) => {
      const stop = () => reject(new Error(`the mail server did not finish within ${sendMilliseconds / 1000} s`))
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
    })
    return await Promise.race([use(transport), aborted])
  } finally {
    transport.close()
  }
}

/** The library is loaded when it is needed first: most sites never do. */
async function connect({ mail, ca }: MailSettings) {
  const { createTransport } = await import('nodemailer')
  const { host, port, security, user, password = '' } = mail
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { rejectUnauthorized: true, ca: authorities(ca) },
    ...(user !== '' && { auth: { user, pass: password } }),
    connectionTimeout: sendMilliseconds,
    greetingTimeout: sendMilliseconds,
    socketTimeout: sendMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
