// What the daemon says, without what the command line would do about it: a page has buttons of its own.

/** Without `(fleet adopt --name)`, `: fleet job cancel 12` and `; if it is that computer: fleet computer edit …`. */
export const withoutCommands = (text: string): string => text.split('; ').map(withoutCommand).filter(Boolean).join('; ')

function withoutCommand(part: string): string {
  const [said = '', ...advice] = part.split(': fleet ')
  if (said.startsWith('see fleet ') || (advice.length > 0 && said.startsWith('if '))) return ''
  const [before = '', ...options] = said.split(' (fleet ')
  return before + options.map(option => option.slice(option.indexOf(')') + 1)).join('')
}
