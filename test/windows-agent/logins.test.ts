// Who is logged in to Windows 10 and 11, and whose session is locked. The outputs are written after the documentation of
// quser, qprocess and tasklist, not recorded on a computer.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { changeEvents, type Logins } from '../../host/agent-program/logins.ts'
import { parseLogins } from '../../host/windows-agent/program/windows-logins.ts'

const lines = (...texts: string[]) => `${texts.join('\r\n')}\r\n`

/** Names in their order, with `*` where the session is locked. */
const loginsOf = (text: string) => [...parseLogins(text)].map(([user, isLocked]) => (isLocked ? `${user}*` : user))

const test = suite('logins of Windows')

test('the users of quser are found in any language, also with blanks and umlauts, and each once', () => {
  const english = lines(
    ' USERNAME              SESSIONNAME        ID  STATE   IDLE TIME  LOGON TIME',
    '>anna                  console             1  Active      none   11/28/2026 8:01 AM',
    ' max muster                                2  Disc         1:14  11/28/2026 7:40 AM',
    ' anna                  rdp-tcp#3           3  Active          .  11/28/2026 9:12 AM',
  )
  equal(loginsOf(english), ['anna', 'max muster*'])
  const german = lines(
    ' BENUTZERNAME          SITZUNGSNAME       ID  STATUS  LEERLAUF   ANMELDEZEIT',
    ' jörg.müller           console             1  Aktiv       Kein   28.11.2026 08:01',
    ' twenty-letters-name0                     12  Getr.       1:14   28.11.2026 07:40',
  )
  equal(loginsOf(german), ['jörg.müller', 'twenty-letters-name0*'])
  const spanish = lines(
    ' NOMBRE DE USUARIO     NOMBRE DE SESIÓN   ID. ESTADO  TIEMPO INAC. TIEMPO DE INICIO DE SESIÓN',
    '>begoña.núñez          31c5ce94259d4006a9e4#0 1  Activo  ninguno      28/11/2026 8:01',
    ' íñigo                                     2  Desc    1+02:14      27/11/2026 7:40',
  )
  equal(loginsOf(spanish), ['begoña.núñez', 'íñigo*'])
  for (const nobody of [
    '',
    '\r\n',
    'No User exists for *\r\n',
    'Für * ist kein Benutzer vorhanden.\r\n',
    'No existe ningún usuario para *\r\n',
  ])
    equal(loginsOf(nobody), [])
})

test('a session in which the lock screen runs is locked; a user with another one that is not has none', () => {
  const users = [
    ' BENUTZERNAME          SITZUNGSNAME       ID  STATUS  LEERLAUF   ANMELDEZEIT',
    '>jörg.müller           console             1  Aktiv       Kein   28.11.2026 08:01',
    ' anna                  rdp-tcp#3           3  Aktiv          .   28.11.2026 09:12',
    ' anna                                      4  Getr.       1:14   28.11.2026 07:40',
  ]
  const screens = (...sessions: string[]) => [
    ' BENUTZERNAME          SITZUNGSNAME       ID   PID  ABBILD',
    ...sessions.map(session => ` system                ${session}  5980  logonui.exe`),
  ]
  equal(loginsOf(lines(...users)), ['jörg.müller', 'anna'])
  equal(loginsOf(lines(...users, ...screens('console             1'))), ['jörg.müller*', 'anna'])
  equal(loginsOf(lines(...users, ...screens('rdp-tcp#3           3'))), ['jörg.müller', 'anna*'])
  // At the screen for another user, whose session is no login yet.
  equal(loginsOf(lines(...users, ...screens('                    5'))), ['jörg.müller', 'anna'])
  equal(loginsOf(lines(...screens('console             1'))), [])
})

test('without quser they are those who have a desktop, without their domain', () => {
  const task = (program: string, session: number, user: string) =>
    `"${program}","4321","Console","${session}","85.123 K","Wird ausgeführt","${user}","0:00:12","Nicht zutreffend"`
  const desktops = [
    task('explorer.exe', 1, 'SCHULE\\jörg'),
    task('explorer.exe', 2, 'PC-20\\anna b'),
    task('explorer.exe', 1, 'SCHULE\\jörg'),
  ]
  equal(loginsOf(lines(...desktops)), ['jörg', 'anna b'])
  const screen = task('LogonUI.exe', 2, 'NT-AUTORITÄT\\SYSTEM')
  equal(loginsOf(lines(...desktops, screen)), ['jörg', 'anna b*'])
  equal(loginsOf('INFO: No tasks are running which match the specified criteria.\r\n'), [])
})

/** What is reported after each look, with `-` for a logout, for looks such as `anna, max*`. */
function reportsOf(...looks: string[]): string[] {
  let before: Logins = new Map()
  return looks.map(look => {
    const names = look === '' ? [] : look.split(', ')
    const now = new Map(names.map(name => [name.replace('*', ''), name.endsWith('*')]))
    const events = changeEvents(before, now)
    before = now
    return events.map(({ action, user, locked }) => `${action === 'stop' ? '-' : ''}${user}${locked ? '*' : ''}`).join()
  })
}

test('of several users the one whose session is not locked is reported last', () => {
  equal(reportsOf('anna', 'anna', 'anna*', 'anna', ''), ['anna', '', 'anna*', 'anna', '-anna'])
  // A switch to another user, back, and the logout of the other one.
  equal(reportsOf('anna', 'anna*, max', 'anna, max*', 'anna'), ['anna', 'max', 'anna', '-max'])
  equal(reportsOf('anna, max*', 'anna*, max*'), ['max*,anna', 'max*'])
  // Another user leaves a session, while somebody is at the computer.
  equal(reportsOf('anna, max', 'anna, max*'), ['anna,max', 'anna'])
})

test.run()
