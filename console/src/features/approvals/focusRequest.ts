// Moves the keyboard focus to the row of a request.

export const focusRequest = (idx: number | undefined): void =>
  document.querySelector<HTMLElement>(`tr[data-idx="${idx}"]`)?.focus()
