// All disks as CSV, one in a line.
import { type HealthRow, isoTime } from './_health-rows.ts'
import { type Context, values } from './_health-schemas.ts'

// `as`: these are its keys.
const valueNames = Object.keys(values) as (keyof typeof values)[]

export async function* csvOf(rows: readonly HealthRow[], { services }: Context): AsyncGenerator<string> {
  // What is not known is an empty cell.
  const lineOf = (cells: readonly (string | undefined)[]) => services.csvRecord(cells.map(cell => cell || undefined))
  yield lineOf(['client', 'name', 'state', 'time', 'disk', 'model', 'serial', 'size', 'reasons', ...valueNames])
  for (const { client, name, disks, state: all, time, reasons } of rows) {
    if (disks.length === 0) yield lineOf([client, name, all, isoTime(time), '', '', '', '', reasons.join('; ')])
    for (const { size, values: own, ...each } of disks) {
      const cells = valueNames.map(key => own[key]?.toString())
      const facts = [each.name, each.model, each.serial, size?.toString(), each.reasons.join('; ')]
      yield lineOf([client, name, each.state, isoTime(each.time), ...facts, ...cells])
    }
  }
}
