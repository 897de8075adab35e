// `fleet inventory`: what computers have, with counts; `fleet differences`: which computers of a room differ.
import type { AnswerOf } from '../../contract/answers.ts'
import { findId } from '../api/records.ts'
import { paint } from '../terminal/terminal.ts'
import { formatTable, plural } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'

type SummaryAnswer = AnswerOf<'GET /inventory/summary'>

const inventory = read({
  command: 'inventory [query]',
  description: 'count models, memory, disks, processors and systems',
  async read({ connect }, _flags, where = ''): Promise<SummaryAnswer> {
    return (await connect().call(`GET /inventory/summary?${new URLSearchParams({ where })}`)).body
  },
  format({ computers, models, memory, disks, processors, systems }, { width }) {
    const lists = { model: models, memory, disk: disks, processor: processors, system: systems }
    const units: Record<string, string> = { memory: ' GiB', disk: ' GB' }
    const rows = Object.entries(lists).flatMap(([kind, { values, omitted = 0 }]) => [
      ...values.map(({ value, computers }) => ({ kind, value: `${value}${units[kind] ?? ''}`, computers })),
      ...(omitted > 0 ? [{ kind, value: `${omitted} more`, computers: undefined }] : []),
    ])
    const table = formatTable(rows, ['kind', 'value', 'computers'], width, 'nothing is known')
    return `${table}\n${paint('gray', plural(computers, 'computer'))}`
  },
})

type Difference = AnswerOf<'GET /room/differences'>['computers'][number]['missing'][number]

const differences = read({
  command: 'differences <room>',
  description: 'show which computers of a room lack what most others have, or have more',
  async read({ connect }, _flags, room): Promise<AnswerOf<'GET /room/differences'>> {
    return (await connect().call('GET /room/differences', { room: await findId(connect(), 'room', 'room', room) })).body
  },
  format({ compared, different, computers }, { width }) {
    const rowOf = (sign: string, { kind, text, computers: count, of }: Difference) => ({
      kind,
      what: `${sign} ${text}`,
      have: `${count} of ${of}`,
    })
    const rows = computers.flatMap(({ client, name, missing, extra, missing_count, extra_count }) => {
      const omitted = missing_count + extra_count - missing.length - extra.length
      const shown = [...missing.map(each => rowOf('-', each)), ...extra.map(each => rowOf('+', each))]
      const more = omitted > 0 ? [{ kind: '', what: `${omitted} more`, have: '' }] : []
      return [...shown, ...more].map((row, at) => ({ computer: at === 0 ? name || client : '', ...row }))
    })
    const table = formatTable(rows, ['computer', 'kind', 'what', 'have'], width, 'no computer differs')
    return `${table}\n${paint('gray', `${different} of ${plural(compared, 'computer')} differ`)}`
  },
})

export const inventoryCommands = [inventory, differences]
