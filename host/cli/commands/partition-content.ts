// Prints what a restore would overwrite: what computers have in the partition, another system in red.
import type { ContentGroup, PreviewAnswer } from '../../contract/answers.ts'
import type { CommandInfo } from '../api/command-catalogue.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'
import { plural } from '../terminal/text-table.ts'

/** A client in the response to `?dry_run=1`. */
type PreviewedClient = Partial<ContentGroup> & { client: string; refused?: string }

/** A site's command may preview something else. */
const showsOther = ({ client, refused, another_system, ...shown }: PreviewedClient) =>
  another_system === undefined && Object.keys(shown).length > 0

/** `Windows 10 · disk 1 partition 2 · 24 computers`, one line for each content. */
export function formatContent(
  groups: readonly ContentGroup[],
  { disk, partition }: Pick<PreviewAnswer, 'disk' | 'partition'>,
): string {
  const lines = groups.map(group => {
    const line = `${nameOf(group)} · disk ${disk} partition ${partition} · ${plural(group.computers, 'computer')}`
    return group.another_system ? paint('red', `! ${line}: ANOTHER SYSTEM, which is lost`) : `  ${line}`
  })
  return ['there now:', ...lines].join('\n')
}

function nameOf({ system, filesystem }: ContentGroup): string {
  if (system !== '') return system
  return filesystem === '' || filesystem === 'EMPTY' ? 'no known system' : `no known system (${filesystem})`
}

/** `, and lose Windows 10 (24 computers)`; '' when no other system is lost. */
export function describeLoss(groups: readonly ContentGroup[]): string {
  const lost = groups.filter(({ another_system }) => another_system)
  const names = lost.map(({ system, computers }) => `${system} (${plural(computers, 'computer')})`)
  return names.length === 0 ? '' : `, which LOSES ANOTHER SYSTEM: ${names.join(', ')}`
}

/** Of a command that says in its preview what clients have; resolves to the words for the question. */
export async function printContent(
  { connect, print }: CliContext,
  { route, previews }: CommandInfo,
  payload: Record<string, unknown>,
): Promise<string> {
  if (!previews) return ''
  const { body } = await connect().call<{ clients: PreviewedClient[] }>(`${route}?dry_run=1`, payload)
  if (body.clients.some(showsOther)) return ''
  const groups = new Map<string, ContentGroup>()
  for (const { system = '', filesystem = '', another_system = false } of body.clients) {
    const key = JSON.stringify([system, filesystem, another_system])
    const group = groups.get(key) ?? { system, filesystem, another_system, computers: 0 }
    groups.set(key, { ...group, computers: group.computers + 1 })
  }
  const content = [...groups.values()].sort((a, b) => Number(b.another_system) - Number(a.another_system))
  print(formatContent(content, { disk: String(payload.disk), partition: String(payload.partition) }))
  const loss = describeLoss(content)
  return loss === '' || payload.overwrite === true ? loss : '; computers with another system are skipped (--overwrite)'
}
