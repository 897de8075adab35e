// The printed report of an import: a terminal shows all of it.
import { stripVTControlCharacters } from 'node:util'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { formatReport, SiteReport } from '../../host/cli/import-ogadmbd/site-report.ts'

const test = suite('report of an import')

for (const width of [80, 120]) {
  test(`a long list of ids and a long reason go on in the next lines of a terminal with ${width} columns`, () => {
    const report = new SiteReport()
    const ids = Array.from({ length: 100 }, (_, at) => String(1000 + 2 * at))
    const reason = 'there is no perfilessoft with the number of the column, or it is left out'
    for (const id of ids) report.addProblem({ table: 'ordenadores_particiones', id }, 'idperfilsoft', reason)
    report.dropRow({ table: 'aulas', id: '7' }, 'it has none')
    const lines = stripVTControlCharacters(formatReport(report, width).join('\n')).split('\n')
    ok(lines.every(line => line.length <= width))
    equal(lines.join(' ').match(/\b1\d{3}\b/g), ids)
    equal(lines.filter(line => line.startsWith('ordenadores_particiones')).length, 1)
    ok(lines.at(-1)?.match(/^aulas +7 +row +it has none$/))
  })
}

test.run()
