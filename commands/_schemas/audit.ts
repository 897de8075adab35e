// The schema of a page of the audit log.
import { address, described, integer, like, list, object, text, time } from './objects.ts'

const record = {
  time,
  who: described(text, 'the name of the caller; nobody without right credentials', 'token lab'),
  address: described(text, "the caller's; empty for a schedule", '10.1.0.5'),
  route: described(text, '`schedule` and its id for the run of a schedule', 'POST /poweroff'),
  status: like(integer, 200),
  clients: described(list(address), 'the first three'),
  count: described(integer, 'how many clients', 1),
  'job?': described(integer, 'its id', 7),
  'digest?': described(text, 'the SHA-256 of the body, passwords left out'),
  'more?': described(integer, 'so many further refused requests of the caller in a minute have no record'),
}

export const auditResult = object({
  audit: list(object(record)),
  next: described(text, 'for ?after= of the next page; equal to it when there was no more to read', '2026-09.1234'),
})
