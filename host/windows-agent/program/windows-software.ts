// Lists the installed programs from the keys with which Windows uninstalls them.
import { cutLines } from '../../agent-program/inventory-limits.ts'

const path = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall'

/** For cmd.exe: both views of the computer, and the users who are logged in. A view that is missing prints an error only. */
export const softwareCommand = [
  `reg query "HKLM\\${path}" /s /reg:64 2>nul`,
  `reg query "HKLM\\${path}" /s /reg:32 2>nul`,
  `for /f "tokens=*" %u in ('reg query HKU 2^>nul') do @reg query "%u\\${path}" /s 2>nul`,
  'exit /b 0',
].join(' & ')

/** One program a line with its version, below the system's name. `text`: what `softwareCommand` prints. */
export function toSoftware(text: string, osName: string): string {
  const programs = text.split(/\r?\n(?=HKEY_)/).flatMap(key => {
    const read = (name: string) =>
      new RegExp(`^ {1,9}${name} {1,9}REG_[A-Z]{1,20} {1,9}(\\S.*)$`, 'm').exec(key)?.[1]?.trim()
    const name = read('DisplayName')
    // Windows itself does not show updates and parts of other programs.
    const isPart = read('SystemComponent') === '0x1' || read('ParentKeyName') !== undefined
    return name === undefined || isPart ? [] : [[name, read('DisplayVersion')].filter(Boolean).join(' ')]
  })
  return cutLines([osName, ...[...new Set(programs)].sort()])
}
