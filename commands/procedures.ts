// Lists procedures with their steps.
import type { Command } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { procedureResult } from './_schemas/tasks.ts'

const returns = object({ procedures: list(procedureResult) })

export default {
  summary: 'List procedures',
  group: 'Procedures and tasks',
  route: 'GET /procedures',
  returns,
  scoped: true,
  async answer({ services, request: { rights } }) {
    const procedures = await services.store.procedures.list()
    return { procedures: procedures.filter(({ center }) => rights.reachesCenter(center)) }
  },
} satisfies Command
