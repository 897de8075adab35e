// The groups of the API reference: which of them come first, and what they are about.
import type { LoadedCommand } from '../contract/loaded-command.ts'

export interface Group {
  name: string
  description?: string
}

/** In the sequence of the page. */
export const groups: readonly Group[] = [
  {
    name: 'Clients',
    description:
      'The computers that are connected, their state, and the commands for them. The response does not wait for the agents: `X-Job-Id` names the job that gets the results.',
  },
  { name: 'Centers, rooms and computers', description: 'The records of who has which computers, and where.' },
  {
    name: 'Inventory',
    description:
      'Disks, operating systems, hardware and programs. A POST asks the agents and stores what they report, a GET reads what is stored.',
  },
  {
    name: 'Disks and images',
    description: 'Partitions, copies of them in a repository, and the repositories themselves.',
  },
  { name: 'Boot', description: 'What computers boot next: boot modes and live systems.' },
  {
    name: 'Procedures and tasks',
    description: 'A procedure is a list of commands. A task is a list of procedures with the computers that it is for.',
  },
  { name: 'Schedules', description: 'The times at which tasks, procedures and commands run.' },
  { name: 'Jobs and events', description: 'What became of accepted work, afterwards and as it happens.' },
  { name: 'History', description: 'How rooms were used, and what computers did: see operating.md.' },
  { name: 'Access', description: 'Tokens of programs, users, and who asks.' },
  {
    name: 'Modules',
    description: 'Packs, hooks and views: what files of the site and of the product add to the daemon.',
  },
  { name: 'Server', description: 'The daemon itself: health, metrics, command files and this reference.' },
]

/** The group of a command that names none. */
export const groupOf = ({ command, origin }: LoadedCommand): string =>
  command.group ?? (origin === 'built-in' ? 'Other' : 'Site')

/** The groups that have a command: the known ones first, then those of a site by name. */
export function usedGroups(commands: readonly LoadedCommand[]): Group[] {
  const used = new Set(commands.map(groupOf))
  const described = groups.filter(({ name }) => used.has(name))
  const others = [...used].filter(name => !groups.some(group => group.name === name)).sort()
  return [...described, ...others.map(name => ({ name }))]
}
