// Stands for host/access/password-cost.ts in bundles of tests, which hash some hundred passwords.

/** A sixtieth of the time. The test of passwords runs with the real cost. */
export const passwordCost = { logN: 9, r: 8, p: 3 }
