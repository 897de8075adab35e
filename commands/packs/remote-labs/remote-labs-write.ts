// What brokers ask for: their key, reservations and what becomes of them; and what agents of OpenGnsys computers report.
import type { Command, Rights } from 'fleet-host'
import { takeReport } from './_agents.ts'
import { json, Problem } from './_answers.ts'
import { answer, guard } from './_routes.ts'
import type { Asked } from './_schemas.ts'
import type pack from './pack.ts'

const payload = {
  type: 'object',
  properties: { password: { writeOnly: true }, secret: { writeOnly: true } },
} as const

export default {
  summary: 'Reserve computers for brokers of remote sessions',
  group: 'Remote labs',
  example: {},
  route: 'POST /opengnsys/rest',
  access: 'none',
  http: { rest: true, anyBody: true },
  payload,
  body: 'optional',
  async answer({ payload: body, request, services, settings, collections }) {
    const { rest, rights, caller } = request
    const asked: Asked = { services, settings, collections, rights, body: { ...body } }
    const [first, second = '', ...others] = rest
    if (first === 'login' && rest.length === 1) return guard(asked, async () => json(services)(login(asked)))
    if (first === 'ogagent' && others.length === 0)
      return guard(asked, async () => {
        if (await takeReport(asked, second, asked.body, caller)) return json(services)()
        throw new Problem(404, 'no such path')
      })
    return answer(asked, { method: 'POST', rest, key: request.header('Authorization') })
  },
} satisfies Command<typeof payload, undefined, undefined, typeof pack>

/** The key is the token itself, which is the password of its name: tokens are not stored, so they cannot be looked up. */
function login({ services, body: { username, password } }: Asked): { userid: number; apikey: string } {
  if (typeof username !== 'string' || typeof password !== 'string' || username === '' || password === '')
    throw new Problem(400, 'expected username and password')
  const rights: Rights | undefined = services.access.holderOf(password)
  if (rights?.name !== `token ${username}`) throw new Problem(401, 'wrong username or password')
  return { userid: Number(rights.reference.replace('token:', '')), apikey: password }
}
