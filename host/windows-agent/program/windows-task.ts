// The scheduled task that starts the agent with the computer, and again when it has ended.
import { runCommand } from './windows-programs.ts'

export const taskName = 'fleet-agent'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string) => text.replace(/[&<>"]/g, character => escapes[character] ?? '')

interface Task {
  /** Absolute paths. */
  program: string
  folder: string
  args: string
}

/**
 * At the start of the computer, and every minute unless it runs: what Windows calls a restart on failure does not count exit
 * codes. S-1-5-18 is SYSTEM. Priority 5 is that of other programs, PT0S no time limit.
 */
export const taskXml = ({ program, folder, args }: Task): string => `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Agent of fleet-host</Description></RegistrationInfo>
  <Triggers>
    <BootTrigger><Enabled>true</Enabled></BootTrigger>
    <TimeTrigger>
      <Repetition><Interval>PT1M</Interval></Repetition>
      <StartBoundary>2020-01-01T00:00:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author"><UserId>S-1-5-18</UserId><RunLevel>HighestAvailable</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(program)}</Command>
      <Arguments>${escapeXml(args)}</Arguments>
      <WorkingDirectory>${escapeXml(folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`

/** Fails when it is not there, or does not run. */
export const endTask = (): Promise<unknown> => runCommand(`schtasks /end /tn ${taskName}`).catch(() => {})

/** `file`: the XML, in UTF-16. */
export async function startTask(file: string): Promise<void> {
  await runCommand(`schtasks /create /tn ${taskName} /xml "${file}" /f`)
  // It fires each minute: meanwhile it may have started the program of before.
  await endTask()
  await runCommand(`schtasks /run /tn ${taskName}`)
}
