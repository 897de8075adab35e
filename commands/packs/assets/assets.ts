// Answers the computers with what asset systems want to know of each: a page as JSON, or all as CSV.
import type { ColumnsRequest, CommandOf, Rights } from 'fleet-host'
import { asset, assetsOf, csvOf, foundColumns } from './_asset-rows.ts'
import { type Context, whereQuery } from './_asset-schemas.ts'
import { readSerials, type Serials } from './_serials.ts'
import type pack from './pack.ts'

const query = {
  type: 'object',
  properties: {
    where: whereQuery,
    limit: { type: 'string', pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$', description: 'at most so many; default: 100' },
    after: { type: 'string', pattern: '^[0-9]{1,15}$', description: '`next` of the page before' },
    format: { enum: ['json', 'csv'], description: '`csv`: all pages as CSV' },
  },
} as const

const returns = {
  type: 'object',
  required: ['total', 'assets'],
  properties: {
    total: { type: 'integer', description: 'how many there are on all pages', examples: [1] },
    assets: { type: 'array', items: asset },
    next: { type: 'string', description: 'for `after`, when more follow', examples: ['20'] },
  },
} as const

export default {
  summary: 'List computers for asset systems',
  group: 'Assets',
  route: 'GET /assets',
  returns,
  scoped: true,
  heavy: true,
  query,
  async answer({ request: { query, rights }, ...context }) {
    const { services } = context
    const { where = '', limit = '100', after = '0' } = query
    const request = { where, columns: foundColumns, limit, after }
    const page = await services.fleetInventory.list(request, rights)
    if (services.isRefusal(page)) return page
    const serials = await readSerials(context, rights)
    if (query.format === 'csv')
      return services.text('text/csv; charset=utf-8', csvOf(allPages(request, serials, rights, context), services))
    const { total, computers, next } = page
    return { total, assets: await assetsOf(computers, serials, context), ...(next !== undefined && { next }) }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns; pack: typeof pack }>

async function* allPages(request: ColumnsRequest, serials: Serials, rights: Rights, context: Context) {
  const { fleetInventory, isRefusal } = context.services
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const page = await fleetInventory.list({ ...request, limit: '200', after }, rights)
    if (isRefusal(page)) throw new Error(page.refused)
    yield await assetsOf(page.computers, serials, context)
    after = page.next
  }
}
