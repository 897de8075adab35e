// Lists procedures with their steps.
import type { Command } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { procedureResult } from './_schemas/tasks.ts'

export default {
  summary: 'List procedures',
  group: 'Procedures and tasks',
  route: 'GET /procedures',
  returns: object({ procedures: list(procedureResult) }),
  scoped: true,
  async answer({ services, request: { rights } }) {
    const procedures = await services.store.procedures.list()
    return { procedures: procedures.filter(({ center }) => rights.reachesCenter(center)) }
  },
} satisfies Command
