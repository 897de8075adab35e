// How long each step of loading a changed command file may take, in the order of the steps.

/** Changes that give no event, such as a replaced link or folder, are looked for every so many seconds. */
export const lookSeconds = 2

/** A scan begins so many milliseconds after the last event of a burst. */
export const settleMilliseconds = 40

/** A burst that takes longer than this is scanned before its end: events of many files must not delay the others. */
export const maxBurstMilliseconds = 300

/** Work in one tick, as a folder may have many thousand files. */
export const tickMilliseconds = 4

/** A file that is gone for less than this stays in service: some programs save a file by deleting and creating it. */
export const missingMilliseconds = 100

/** A file that was written less than this time ago may be incomplete. */
export const quietMilliseconds = 30

/** After this one pass loads no more: what is in service by then is swapped, and new saves are looked for. */
export const passMilliseconds = 200

/**
 * One pass checks at most so many files that were loaded before and are not in service. The next pass continues with
 * those that were not checked for longest: thousands of broken files do not delay the others.
 */
export const maxFailedChecks = 5000

/** A file on a file system that does not respond must not stop the other files. */
export const bundleMilliseconds = 10_000

/** A file that takes longer than this to run probably never ends. */
export const runMilliseconds = 500

/** A file that changes during every load, or a built-in one, is loaded so often again before its problem is reported. */
export const maxUnstableLoads = 2
