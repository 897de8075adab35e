// How often a test repeats what happens at random moments.

const factor = Number(process.env.FLEET_TEST_ROUNDS ?? 1)

/** `few` is enough for all tests together; FLEET_TEST_ROUNDS multiplies it. */
export const roundsOf = (few: number): number => Math.max(1, Math.round(few * factor))
