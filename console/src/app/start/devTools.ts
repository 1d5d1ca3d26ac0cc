// Where the operator says so, open developer tools stop every 100 ms (S1 section 9). It hinders, it protects nothing: what
// somebody may do is decided by the server.
const EVERY = 100

let isRunning = false

export function hinderDevTools(): void {
  if (isRunning) return
  isRunning = true
  setInterval(() => {
    debugger
  }, EVERY)
}
