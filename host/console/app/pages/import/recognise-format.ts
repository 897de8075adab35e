// Recognises what kind of file a text for an import is; nothing of the page.

export type ImportFormat = 'csv' | 'dhcpd'

/** A block or a statement of a dhcpd.conf, which no header row of a CSV has. */
const dhcpdStatement = /^[ \t]*(host|subnet|group|shared-network|pool|class|hardware)\b[^,\r\n\u2028\u2029]*[{;]/m

/** By the content; by the name of its file when that says nothing. Undefined for neither. */
export function recogniseFormat(text: string, fileName = ''): ImportFormat | undefined {
  const head = text.slice(0, 65_536)
  const [first = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split('\n')
  const columns = first
    .toLowerCase()
    .split(/[,;\t]/)
    .map(column => column.trim().replaceAll('"', ''))
  if (['name', 'ip', 'mac'].every(column => columns.includes(column))) return 'csv'
  if (dhcpdStatement.test(head)) return 'dhcpd'
  if (/\.csv$/i.test(fileName)) return 'csv'
  return /\.(conf|dhcp|dhcpd)$/i.test(fileName) ? 'dhcpd' : undefined
}
