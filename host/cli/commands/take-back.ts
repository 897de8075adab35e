// `fleet undo`: lists the last deletions and imports, and takes one back.
import type { AnswerOf } from '../../contract/answers.ts'
import { usageError } from '../cli-error.ts'
import { formatTable, timeColumn } from '../terminal/text-table.ts'
import { read } from './subcommand.ts'

type Answer = AnswerOf<'GET /undo'> | AnswerOf<'POST /undo'>

const columns = ['id', timeColumn('at', 'when'), 'by', 'what', timeColumn('expires')] as const

const undo = read({
  command: 'undo [id]',
  description: 'list deletions and imports of the last 30 days, or take one back',
  help: `
  fleet undo
  fleet undo 12`,
  async read({ connect }, _flags, id): Promise<Answer> {
    if (id === undefined) return (await connect().call('GET /undo')).body
    if (!/^\d+$/.test(id)) throw usageError(`undo: expected an id that fleet undo lists, got ${id}`)
    return (await connect().call('POST /undo', { id })).body
  },
  format(answer, { width }) {
    if ('changes' in answer) return formatTable(answer.changes, columns, width, 'nothing can be taken back')
    const { kind, what } = answer.undone
    return `${what.charAt(0).toUpperCase()}${what.slice(1)} is ${kind === 'import' ? 'taken back' : 'back'}`
  },
})

export const undoCommands = [undo]
