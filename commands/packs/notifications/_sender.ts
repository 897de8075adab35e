// The hook that sends.
export const sender = 'notifications/send-messages'
