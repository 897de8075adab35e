// Lists values of a field of queries, so that programs can complete them.
import type { CommandOf } from 'fleet-host'
import { described, list, object, text } from './_schemas/objects.ts'

const query = object({
  field: described(text, 'the name of the field', 'room'),
  'prefix?': { type: 'string', maxLength: 256, description: 'what has been typed of the value', examples: ['lab'] },
})

const returns = object({
  values: described(list(text), 'some that have this text; first those that begin with it', ['Lab 1', 'Lab 2']),
})

export default {
  summary: 'List values of a field of queries',
  group: 'Centers, rooms and computers',
  route: 'GET /search/values',
  returns,
  scoped: true,
  query,
  async answer({ services, request }) {
    const { field, prefix = '' } = request.query
    const values = await services.search.values(field, prefix, request.rights)
    return services.isRefusal(values) ? values : { values: [...values] }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
