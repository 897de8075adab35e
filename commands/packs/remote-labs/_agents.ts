// What the agents of OpenGnsys computers report; without a key, so the sender's address must be the computer's.
import { Problem } from './_answers.ts'
import { login, logout } from './_people.ts'
import { plainMac } from './_places.ts'
import type { Context } from './_schemas.ts'

type Body = Readonly<Record<string, unknown>>
type Report = (context: Context, ip: string, body: Body) => Promise<void>

const textOf = (body: Body, name: string): string => {
  const value = body[name]
  if (typeof value === 'string' && value !== '' && value.length <= 200) return value
  throw new Problem(400, `${name}: expected a text`)
}

const optionalText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')

const started: Report = async (context, ip, body) => {
  const { services, collections } = context
  const secret = textOf(body, 'secret')
  const mac = plainMac(textOf(body, 'mac'))
  for (const name of ['ostype', 'osversion']) textOf(body, name)
  const computer = await services.store.computers.find(ip)
  if (!computer || plainMac(computer.mac) !== mac) throw new Problem(400, 'there is no such computer')
  if (!/^[0-9a-z]{32}$/i.test(secret)) throw new Problem(400, 'secret: expected 32 letters and digits')
  await collections.agents.put(ip, { ...(await collections.agents.get(ip))?.value, secret })
}

const stopped: Report = async (_, __, body) => {
  for (const name of ['mac', 'ostype', 'osversion']) textOf(body, name)
}

/** A name of a session without `rdp` is that of a person who sits there, as is that of an agent without such names. */
const loggedIn: Report = async (context, ip, body) => {
  const { services, collections } = context
  const user = textOf(body, 'user')
  const language = optionalText(body.language).split('_')[0] ?? ''
  if (!(await services.store.computers.find(ip))) throw new Problem(400, 'there is no such computer')
  const stored = await collections.agents.get(ip)
  if (stored) await collections.agents.put(ip, { ...stored.value, language })
  const isLocal = !optionalText(body.session).includes('rdp')
  // The agent waits for its answer, the broker need not be quick.
  void login(context, ip, user, isLocal).catch(error => services.log.error(`log-in on ${ip}`, error))
}

const loggedOut: Report = async (context, ip, body) => {
  textOf(body, 'user')
  await logout(context, ip)
}

const reports: Readonly<Record<string, Report>> = {
  started,
  stopped,
  loggedin: loggedIn,
  loggedout: loggedOut,
}

/** False for an unknown report. */
export async function takeReport(context: Context, name: string, body: Body, caller: string): Promise<boolean> {
  const report = Object.hasOwn(reports, name) ? reports[name] : undefined
  if (!report) return false
  const ip = textOf(body, 'ip')
  if (ip !== caller) throw new Problem(400, 'ip: expected the address of the sender')
  context.services.log.info(`agent of ${ip}: ${name}`)
  await report(context, ip, body)
  return true
}
