// What the page reads of the computers before it shows them: their records, states, seats and users.
export const labLists = ['/scopes', '/clients', '/places', '/sessions'] as const
