// If the operator disables them, open developer tools stop every 100 ms (spec S1 §9). This hinders, it protects nothing:
// the server decides what a person may do.
const INTERVAL = 100

let isRunning = false

export function hinderDevTools(): void {
  if (isRunning) return
  isRunning = true
  setInterval(() => {
    debugger
  }, INTERVAL)
}
