// Lists procedures with their steps.
import type { Command } from 'fleet-host'
import { list, result } from './_result-schemas.ts'
import { procedureResult } from './_task-results.ts'

const returns = result({ procedures: list(procedureResult) })

export default {
  summary: 'List procedures',
  route: 'GET /procedures',
  returns,
  async answer({ services }) {
    return { procedures: await services.store.procedures.list() }
  },
} satisfies Command
