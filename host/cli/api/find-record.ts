// Finds among records those that a text names.
import { usageError } from '../cli-error.ts'
import { namesIn } from '../terminal/folded-names.ts'
import { unknownName } from './near-name.ts'

export interface NamedRecord {
  id: number
  name: string
  /** The name of the center that it belongs to. */
  center?: string
}

/** By name, by `Center/name`, or by id: in this sequence, since a room may be called 101; last in other capitals. */
export function findRecord<Named extends NamedRecord>(option: string, text: string, records: Named[]): Named {
  const matching = matchingRecords(text, records)
  const [record, ...others] = matching
  if (!record) throw unknownName(option, text, records)
  if (others.length === 0) return record
  const candidates = matching.map(({ id, name, center }) =>
    center === undefined ? `${id}` : `${center}/${name} (id ${id})`,
  )
  throw usageError(`${option}: expected one of ${candidates.join(', ')}, got ${text}`)
}

/** Also of several in one word, with commas between them. */
export const findRecords = <Named extends NamedRecord>(option: string, texts: string[], records: Named[]): Named[] =>
  namesIn(texts, text => matchingRecords(text, records).length > 0).map(text => findRecord(option, text, records))

function matchingRecords<Named extends NamedRecord>(text: string, records: Named[]): Named[] {
  const matches = [
    ({ name }: Named) => name === text,
    ({ name, center }: Named) => `${center}/${name}` === text,
    ({ id }: Named) => String(id) === text,
    ({ name }: Named) => name.toLowerCase() === text.toLowerCase(),
  ]
  return matches.map(match => records.filter(match)).find(each => each.length > 0) ?? []
}
