// The attack programs of this folder: the files whose default export is an attack.

import type { Attack } from './attack.ts'
import blankHeader from './blank-header.ts'
import bodiesBeforeToken from './bodies-before-token.ts'
import brokenCommands from './broken-commands.ts'
import csvFormula from './csv-formula.ts'
import damagedJournal from './damaged-journal.ts'
import deepSteps from './deep-steps.ts'
import deletedToken from './deleted-token.ts'
import eventFlood from './event-flood.ts'
import foreignImage from './foreign-image.ts'
import foreignOrigin from './foreign-origin.ts'
import foreignPage from './foreign-page.ts'
import foreignPlan from './foreign-plan.ts'
import fuzzReplies from './fuzz-replies.ts'
import fuzzRequests from './fuzz-requests.ts'
import imageId from './image-id.ts'
import inventedNames from './invented-names.ts'
import jobOutputs from './job-outputs.ts'
import logClosedPipe from './log-closed-pipe.ts'
import logFlood from './log-flood.ts'
import logFullDisk from './log-full-disk.ts'
import logUnreadPipe from './log-unread-pipe.ts'
import loginEvents from './login-events.ts'
import loginLockout from './login-lockout.ts'
import longHeader from './long-header.ts'
import manyReports from './many-reports.ts'
import nestedProcedures from './nested-procedures.ts'
import noDescriptors from './no-descriptors.ts'
import oddReplies from './odd-replies.ts'
import pausedProcess from './paused-process.ts'
import pipelined from './pipelined.ts'
import pipelinedStream from './pipelined-stream.ts'
import refusedAgents from './refused-agents.ts'
import unknownAgents from './unknown-agents.ts'
import unreadAnswers from './unread-answers.ts'
import waitingParts from './waiting-parts.ts'
import wideImport from './wide-import.ts'
import wrongTokens from './wrong-tokens.ts'

/** Those of agents first, then those of callers, files and random messages. */
export const attacks: readonly Attack[] = [
  loginEvents,
  inventedNames,
  eventFlood,
  unknownAgents,
  refusedAgents,
  blankHeader,
  imageId,
  oddReplies,
  csvFormula,
  noDescriptors,
  logFlood,
  logClosedPipe,
  logUnreadPipe,
  logFullDisk,
  pipelined,
  pipelinedStream,
  bodiesBeforeToken,
  longHeader,
  unreadAnswers,
  wrongTokens,
  loginLockout,
  foreignImage,
  foreignOrigin,
  foreignPage,
  deletedToken,
  foreignPlan,
  deepSteps,
  nestedProcedures,
  waitingParts,
  wideImport,
  jobOutputs,
  manyReports,
  brokenCommands,
  damagedJournal,
  pausedProcess,
  fuzzReplies,
  fuzzRequests,
]
