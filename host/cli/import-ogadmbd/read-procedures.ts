// Imports procedures and their steps: commands, from parameter strings, and other procedures.
import type { Procedure, Step } from '../../../stores/store.ts'
import { isImageName } from '../../images/repository.ts'
import { readParameters } from './read-parameters.ts'
import { FirstRows, missingReason, rowsWithIds, type SiteImport } from './site.ts'
import type { SourceRow } from './source-database.ts'
import { StepGraph } from './step-graph.ts'

/** `software`: the list of software that stands for each one of the database. */
export async function readProcedures(task: SiteImport, software: ReadonlyMap<number, number>): Promise<StepGraph> {
  const { source, site, report } = task
  const names = new FirstRows()
  for await (const { row, id } of rowsWithIds(task, 'procedimientos', 'procedures')) {
    const procedure = toProcedure(row, id)
    const reason = procedureReason(task, row, procedure, names)
    if (reason === undefined) site.procedures.set(id, procedure)
    else report.dropRow(row, reason)
  }
  const graph = new StepGraph()
  for await (const row of source.rows('procedimientos_acciones')) {
    const procedure = site.procedures.get(row.number('idprocedimiento'))
    const step = procedure
      ? toStep(task, row, procedure, graph)
      : missingReason('idprocedimiento', 'procedimientos', row.number('idprocedimiento'))
    if (typeof step !== 'string') procedure?.steps.push(withSoftware(step, software))
    else {
      report.dropRow(row, step)
      if (procedure) graph.setIncomplete(procedure.id)
    }
  }
  return graph
}

/** Of a procedure or a task, without its steps. */
export const toProcedure = (row: SourceRow, id: number): Procedure => ({
  id,
  center: row.number('idcentro'),
  name: row.text('descripcion'),
  description: row.text('comentarios'),
  steps: [],
})

/** Why a procedure or a task cannot be kept. */
export function procedureReason(
  { site, checks }: SiteImport,
  row: SourceRow,
  { center, name }: Procedure,
  names: FirstRows,
): string | undefined {
  if (!site.centers.has(center)) return missingReason('idcentro', 'centros', center)
  const reason = checks.mismatch('procedure-add', { center: String(center), name })
  return reason ?? names.conflict(`${center} ${name}`, row, 'descripcion')
}

/** The step of a row, or the reason why there is none. */
function toStep(task: SiteImport, row: SourceRow, { id }: Procedure, graph: StepGraph): Step | string {
  const [parameters, procedure] = [row.text('parametros'), row.number('procedimientoid')]
  if (parameters.trim() !== '' && procedure !== 0) return 'expected parametros or procedimientoid, got both'
  if (procedure !== 0) return toNestedStep(task, id, procedure, graph)
  return parameters.trim() === '' ? 'it names nothing' : toCommandStep(task, parameters)
}

function toNestedStep({ site }: SiteImport, from: number, procedure: number, graph: StepGraph): Step | string {
  if (!site.procedures.has(procedure)) return missingReason('procedimientoid', 'procedimientos', procedure)
  return graph.add(from, procedure) ? { procedure } : `procedimientoid: ${procedure} leads back to ${from}`
}

function toCommandStep({ site, checks }: SiteImport, parameters: string): Step | string {
  const read = readParameters(parameters)
  if (typeof read === 'string') return `parametros: ${read}`
  const { command, params, image } = read
  if (image && !site.images.has(image.id)) return `parametros: ${missingReason('idi', 'imagenes', image.id)}`
  if (image && !isImageName(image.name))
    return `parametros: nci: expected a file name, got ${JSON.stringify(image.name.slice(0, 80))}`
  const mismatch = checks.stepMismatch(command, params)
  return mismatch === undefined ? { command, params } : `parametros: ${command}: ${mismatch}`
}

/** Restoring an image names the list of its software by id, as `profile`. */
function withSoftware(step: Step, software: ReadonlyMap<number, number>): Step {
  if (!('command' in step) || !('profile' in step.params)) return step
  const profile = software.get(Number(step.params.profile))
  return profile === undefined ? step : { ...step, params: { ...step.params, profile: String(profile) } }
}
