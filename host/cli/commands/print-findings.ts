// `fleet doctor`: how the daemon's server is, or one computer, and what to do.
import type { AnswerOf } from '../../contract/answers.ts'
import { knownAddress } from '../api/records.ts'
import { onOneLine, paint } from '../terminal/terminal.ts'
import { plural } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'

type Finding = AnswerOf<'GET /doctor'>['findings'][number]

const marks: Record<Finding['level'], { mark: string; colour: 'green' | 'yellow' | 'red' }> = {
  ok: { mark: '✓', colour: 'green' },
  warning: { mark: '!', colour: 'yellow' },
  problem: { mark: '✗', colour: 'red' },
}

export const doctor = read({
  command: 'doctor [computer]',
  argument:
    'its address or name, also that of a client without a record; without it the server of the daemon is looked at',
  description: 'say how the server or a computer is, and what to do; exit code 1 with a problem',
  async read({ connect }, _flags, computer) {
    if (computer === undefined) return (await connect().call('GET /doctor')).body
    const client = await knownAddress(connect(), computer)
    return (await connect().call(`GET /doctor?${new URLSearchParams({ client })}`)).body
  },
  format({ host, version, findings }, { context }) {
    const countOf = (level: Finding['level']) => findings.filter(finding => finding.level === level).length
    const [problems, warnings] = [countOf('problem'), countOf('warning')]
    if (problems > 0) context.fail()
    const total = `${plural(problems, 'problem')}, ${plural(warnings, 'warning')}`
    return [...findings.map(formatFinding), paint('gray', `${total}; asked: ${host}, fleet-host ${version}`)].join('\n')
  },
})

function formatFinding({ check, level, text, advice }: Finding): string {
  const { mark, colour } = marks[level]
  const line = `${paint(colour, mark)} ${onOneLine(`${check}: ${text}`)}`
  return advice === undefined ? line : `${line}\n  → ${onOneLine(advice)}`
}
