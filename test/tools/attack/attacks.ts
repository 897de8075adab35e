// All attack programs: those of agents first, then those of callers, files and random messages.
import type { Attack } from './attack.ts'
import { agentAttacks } from './programs/agents.ts'
import { callerAttacks } from './programs/callers.ts'
import { fileAttacks } from './programs/files.ts'
import { foreignPage } from './programs/foreign-page.ts'
import { fuzzAttacks } from './programs/fuzz.ts'
import { hookAttacks } from './programs/hooks.ts'
import { jobAttacks } from './programs/jobs.ts'
import { loginAttacks } from './programs/logins.ts'
import { logAttacks } from './programs/logs.ts'
import { reportAttacks } from './programs/reports.ts'
import { rightsAttacks } from './programs/rights.ts'

export const attacks: readonly Attack[] = [
  ...agentAttacks,
  ...reportAttacks,
  ...logAttacks,
  ...callerAttacks,
  ...loginAttacks,
  ...rightsAttacks,
  foreignPage,
  ...jobAttacks,
  ...hookAttacks,
  ...fileAttacks,
  ...fuzzAttacks,
]
