// The page of free computers for a screen at a door: its text, its style, and the script that asks for the number.
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, mark => marks[mark] ?? '')

export interface FreeSeats {
  room: string
  free: number
  computers: number
}

export const pageOf = ({ room, free, computers }: FreeSeats, title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(`${room}: ${title}`)}</title>
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
<main>
<h1 id="room">${escaped(room)}</h1>
<p id="free" role="status">${free}</p>
<p>${escaped(title)} / <span id="computers">${computers}</span></p>
</main>
`

export const style = `:root { color-scheme: light dark; --back: #fff; --text: #14213d; --good: #1a7f37; --none: #b42318; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --good: #4ac26b; --none: #ff7b72; } }
body { margin: 0; background: var(--back); color: var(--text); font-family: system-ui, sans-serif; text-align: center; }
main { min-height: 100vh; display: flex; flex-direction: column; justify-content: center; gap: 2vmin; }
h1 { margin: 0; font-size: 9vmin; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0; font-size: 6vmin; }
#free { font-size: 48vmin; font-weight: 700; line-height: 1; color: var(--good); font-variant-numeric: tabular-nums; }
#free.none { color: var(--none); }
#free.unknown { color: inherit; opacity: 0.4; }
`

/** Seconds between two questions, and of one. */
const [everySeconds, longestSeconds] = [10, 5]

export const script = `const part = id => document.getElementById(id)
async function show() {
  const free = part('free')
  try {
    const response = await fetch(location.pathname.replace(/\\/$/, '') + '/now', {
      cache: 'no-store',
      signal: AbortSignal.timeout(${longestSeconds * 1000}),
    })
    if (!response.ok) throw new Error(String(response.status))
    const seats = await response.json()
    part('room').textContent = seats.room
    part('computers').textContent = String(seats.computers)
    free.textContent = String(seats.free)
    free.className = seats.free === 0 ? 'none' : ''
  } catch {
    free.textContent = '?'
    free.className = 'unknown'
  }
  setTimeout(show, ${everySeconds * 1000})
}
show()
`
