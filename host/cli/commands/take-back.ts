// `fleet undo`: lists the last deletions, edits and imports, and takes one back.
import type { AnswerOf } from '../../contract/answers.ts'
import { usageError } from '../cli-error.ts'
import { formatTable, timeColumn } from '../terminal/text-table.ts'
import { confirm, undoHint } from './confirm.ts'
import { read } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

/** `undo`: the id with which that is taken back in its turn. */
type Answer = AnswerOf<'GET /undo'> | (AnswerOf<'POST /undo'> & { undo?: number })

const columns = ['id', timeColumn('at', 'when'), 'by', 'what', timeColumn('expires')] as const

const undo = read({
  command: 'undo [id]',
  description: 'list deletions, edits and imports of the last 30 days, or take one back',
  help: `
  fleet undo
  fleet undo 12`,
  options: yesOption,
  async read(context, { yes }, id): Promise<Answer> {
    const api = context.connect()
    const { body } = await api.call('GET /undo')
    if (id === undefined) return body
    if (!/^\d+$/.test(id)) throw usageError(`undo: expected an id that fleet undo lists, got ${id}`)
    const change = body.changes.find(each => each.id === Number(id))
    if (change?.kind === 'import') {
      const describe = async () => `Take back the ${change.what}: what it added is deleted`
      await confirm(context, yes, { where: 'undo', needsConsent: false, describe })
    }
    const { body: answer, undo } = await api.call('POST /undo', { id })
    return { ...answer, ...(undo !== undefined && { undo }) }
  },
  format(answer, { width }) {
    if ('changes' in answer) return formatTable(answer.changes, columns, width, 'nothing can be taken back')
    const { kind, what, fields } = answer.undone
    if (fields) return `Taken back: ${what}${undoHint(answer.undo)}`
    return `${what.charAt(0).toUpperCase()}${what.slice(1)} is ${kind === 'import' ? 'taken back' : 'back'}${undoHint(answer.undo)}`
  },
})

export const undoCommands = [undo]
