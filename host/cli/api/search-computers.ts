// Finds computers by queries.
import type { AnswerOf } from '../../contract/answers.ts'
import { CliError } from '../cli-error.ts'
import { type ApiClient, readPages } from './client.ts'

/** Computers of one answer, which has a limit. */
const pageLength = '2000'

/** All pages of what a query finds. */
export const searchComputers = (call: ApiClient['call'], where: string, query: { columns: string; explain?: '1' }) =>
  readPages(
    more => call(`GET /search?${new URLSearchParams({ where, limit: pageLength, ...query, ...more })}`),
    (page: AnswerOf<'GET /search'>) => page.computers,
  )

export async function findAddresses(
  { call }: ApiClient,
  option: string,
  text: string,
  where: string,
): Promise<string[]> {
  const found = await searchComputers(call, where, { columns: 'client', explain: '1' })
  if (found.total === 0) {
    // The reason is about the words of the query, which the user of a group has not typed.
    const reasons = text === where ? nothingFound(found) : []
    throw new CliError([`${option}: no computer matches ${text}`, ...reasons].join('\n'))
  }
  return found.computers.map(({ client }) => client)
}

/** Lines that say why, and what may be meant. */
export const nothingFound = ({ reason, meant }: AnswerOf<'GET /search'>): string[] => [
  ...(reason === undefined ? [] : [reason]),
  ...(meant === undefined ? [] : [`maybe meant: '${meant}'`]),
]
