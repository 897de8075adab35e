// What hashing a password costs, in the terms of scrypt.

/** N = 2^15, r = 8, p = 3: 32 MiB and about 0.2 s for each hash (the recommendation of OWASP for scrypt). */
export const passwordCost = { logN: 15, r: 8, p: 3 }
