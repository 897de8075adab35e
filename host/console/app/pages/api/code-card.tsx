// Texts of the API page: with code between backticks, and as a card with a button that copies it.
import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'

export const Prose = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code>{part}</code> : part))

export function CodeCard({ title, note, text }: { title: string; note: string; text: string }) {
  const [label, setLabel] = useState('Copy')
  const copy = async () => {
    setLabel((await copyText(text)) ? 'Copied' : 'Not copied')
    setTimeout(() => setLabel('Copy'), 1500)
  }
  return (
    <div class="card">
      <Button class="copy" title={`Copy the ${title.toLowerCase()}`} press={copy}>
        <span role="status">{label}</span>
      </Button>
      <p>
        {title} <span class="hint">{note}</span>
      </p>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  )
}

/** Browsers offer their clipboard to pages of https and of this computer only. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.body.appendChild(Object.assign(document.createElement('textarea'), { value: text }))
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}
