// Lists the fields of queries, so that programs can complete them.
import type { CommandOf } from 'fleet-host'
import { described, flag, like, list, object, text } from './_schemas/objects.ts'

const field = object({
  name: like(text, 'ram'),
  about: described(text, 'what it means', 'its memory'),
  example: like(text, 'ram<8GB'),
  operators: described(list(text), 'what may follow its name', [':', '<']),
  hasVersion: described(flag, 'a comparison of versions may follow its value'),
})

const returns = object({ fields: list(field) })

export default {
  summary: 'List the fields of queries',
  group: 'Centers, rooms and computers',
  route: 'GET /search/fields',
  returns,
  scoped: true,
  async answer({ services }) {
    return { fields: [...(await services.search.fields())] }
  },
} satisfies CommandOf<{ returns: typeof returns }>
