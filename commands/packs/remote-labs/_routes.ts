// The paths of the API, and who may use them.
import type { Rights, TextResponse } from 'fleet-host'
import { initialize, setEvents, setSession, unreserve } from './_actions.ts'
import { json, Problem, problem } from './_answers.ts'
import * as ofImages from './_image-reads.ts'
import * as reads from './_reads.ts'
import { reserve } from './_reserve.ts'
import type { Asked } from './_schemas.ts'

type Method = 'GET' | 'POST' | 'DELETE'
type Act = (asked: Asked, path: readonly string[]) => Promise<unknown>

const lab = 'ous/*/labs/*'
const client = `${lab}/clients/*`

/** `*` is a value of the path; all of them are handed over, in their order. */
const table: Readonly<Record<Method, Readonly<Record<string, Act>>>> = {
  GET: {
    ous: reads.centers,
    'ous/*': reads.center,
    'ous/*/groups': reads.groups,
    'ous/*/labs': reads.labs,
    [lab]: reads.lab,
    [`${lab}/clients`]: reads.clients,
    [`${lab}/clients/status`]: reads.clientStates,
    [client]: reads.client,
    [`${client}/status`]: reads.clientState,
    [`${client}/hardware`]: reads.hardware,
    [`${client}/diskcfg`]: reads.disks,
    'ous/*/repos': ofImages.repositories,
    'ous/*/repos/*': ofImages.repository,
    'ous/*/images': ofImages.images,
    'ous/*/images/*': ofImages.image,
    'ous/*/images/*/software': ofImages.software,
    'repository/images': ofImages.files,
    'repository/image/*': ofImages.file,
    'repository/image/*/*': ofImages.file,
  },
  POST: {
    'ous/*/images/*/reserve': (asked, [ou = '', image = '']) => reserve(asked, ou, image),
    [`${client}/events`]: setEvents,
    [`${client}/session`]: setSession,
    [`${client}/init`]: async (asked, path) => {
      await initialize(asked, path)
      return []
    },
    'repository/poweron': ofImages.powerOn,
  },
  DELETE: { [`${client}/unreserve`]: unreserve },
}

/** The exact path first: `clients/status` is no client. */
function findRoute(method: Method, rest: readonly string[]): { act: Act; path: string[] } | undefined {
  const routes = Object.entries(table[method]).filter(([route]) => route.split('/').length === rest.length)
  const matching = routes.filter(([route]) =>
    route.split('/').every((part, index) => part === '*' || part === rest[index]),
  )
  const [found] = matching.sort(([a], [b]) => a.split('*').length - b.split('*').length)
  if (!found) return undefined
  const [route, act] = found
  const parts = route.split('/')
  return { act, path: rest.filter((_, index) => parts[index] === '*') }
}

/** `key`: the header with which the caller says who it is. */
export async function answer(
  asked: Asked,
  request: { method: Method; rest: readonly string[]; key: string },
): Promise<TextResponse> {
  const { services, rights } = asked
  const { method, rest, key } = request
  return guard(asked, async () => {
    if (rights.role === 'none' && key === '') throw new Problem(rest[0] === 'repository' ? 401 : 400, 'no key')
    if (rights.role === 'none') throw new Problem(401, 'wrong key')
    checkRole(rights, method)
    const route = findRoute(method, rest)
    if (!route) throw new Problem(404, 'no such path')
    return json(services)(await route.act(asked, route.path))
  })
}

/** Everything that goes wrong has a body, as brokers parse each answer. */
export async function guard({ services }: Asked, work: () => Promise<TextResponse>): Promise<TextResponse> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return problem(services, error.status, error.message)
    services.log.error('an answer failed', error)
    return problem(services, 500, 'Database error')
  }
}

function checkRole({ role }: Rights, method: Method): void {
  if (method === 'GET' || role === 'operate' || role === 'admin') return
  throw new Problem(401, 'the key may only read')
}
