// The reason of a part without its details, such as hardware addresses: many computers have the same one then.
export const shortReason = (reason: string): string => reason.split('; ')[0] ?? ''
