// The schemas of the JSON form of tasks and procedures.
import { described, integer, like, list, result, text } from './_result-schemas.ts'
import { runOptions } from './_task-fields.ts'

const named = {
  id: like(integer, 1),
  center: described(integer, 'id of its center', 1),
  name: like(text, 'Tidy up'),
  description: described(text, 'for people', ''),
}

export const procedureResult = result({
  ...named,
  steps: described({ $ref: 'steps' }, 'commands and other procedures', [
    { command: 'shell-run', params: { run: 'sync', echo: false } },
  ]),
})

const scope = result({ type: { enum: ['center', 'room', 'computer'] }, id: integer })

export const taskResult = result(
  {
    ...named,
    steps: described({ $ref: 'taskSteps' }, 'procedures and other tasks', [{ procedure: 1 }]),
    scope: described(scope, 'whose computers it is for', { type: 'room', id: 1 }),
    clients: list({ $ref: 'ipv4' }, 'the addresses that it is for'),
    options: described(result(runOptions, Object.keys(runOptions)), 'how it runs', { wake: true, until: '06:30' }),
  },
  ['scope', 'clients', 'options'],
)
