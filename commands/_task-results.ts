// The schemas of the JSON form of tasks and procedures.
import { described, integer, list, result, text } from './_result-schemas.ts'

const named = { id: integer, center: integer, name: text, description: text }

export const procedureResult = result({
  ...named,
  steps: described({ $ref: 'steps' }, 'commands and other procedures'),
})

const scope = result({ type: { enum: ['center', 'room', 'computer'] }, id: integer })

export const taskResult = result(
  {
    ...named,
    steps: described({ $ref: 'taskSteps' }, 'procedures and other tasks'),
    scope: described(scope, 'whose computers it is for'),
    clients: list({ $ref: 'ipv4' }, 'the addresses that it is for'),
  },
  ['scope', 'clients'],
)
