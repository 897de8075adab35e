// Why the store refuses a procedure or a task, for who has written it.
export const conflictTexts = (
  kind: 'procedure' | 'task',
  { name, center }: { name: string; center: string | number },
) => ({
  unknown: `${kind}: there is no ${kind} ${name}`,
  'name taken': `name: ${kind} ${name} exists in this center`,
  'unknown center': `center: there is no center ${center}`,
  'unknown step': 'steps: expected what exists, got one that does not',
  loop: `steps: expected none that lead back to ${kind} ${name}`,
})
