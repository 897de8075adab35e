// The variable by which the runner tells tests how many hosts each test host has.
export const hostsVariable = 'FLEET_TEST_HOSTS'
