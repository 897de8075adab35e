// Imports procedures and their steps: commands, from parameter strings, and other procedures.
import type { Procedure, Step } from '../../../stores/store.ts'
import { isImageName } from '../../images/image-folder.ts'
import { readParameters } from './read-parameters.ts'
import { FirstRows, keepRows, missingReason, type SiteImport } from './site.ts'
import type { SourceRow } from './source-database.ts'
import { StepGraph } from './step-graph.ts'

/** `software`: the list of software that stands for each one of the database. */
export async function readProcedures(task: SiteImport, software: ReadonlyMap<number, number>): Promise<StepGraph> {
  const { source, site, report } = task
  const names = new FirstRows()
  await keepRows(task, 'procedimientos', 'procedures', (row, id) => toProcedure(task, row, id, names))
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

/** A procedure or a task without its steps, or why it cannot be kept. */
export function toProcedure(
  { site, checks }: SiteImport,
  row: SourceRow,
  id: number,
  names: FirstRows,
): Procedure | string {
  const [center, name] = [row.number('idcentro'), row.text('descripcion')]
  if (!site.centers.has(center)) return missingReason('idcentro', 'centros', center)
  const mismatch = checks.mismatch('procedure-add', { center: String(center), name })
  const reason = mismatch ?? names.conflict(`${center} ${name}`, row, 'descripcion')
  return reason ?? { id, center, name, description: row.text('comentarios'), steps: [] }
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
