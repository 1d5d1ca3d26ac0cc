// A text that is typed outside of a form, such as the reason of a decision, and kept as a draft (browser/drafts.ts).
import { useEffect, useRef, useState } from 'react'
import { deleteDraft, draftTime, findDraft, storeDraft } from '../browser/drafts.ts'
import { showToast } from '../dialogs/toast.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { text } from '../texts/texts.ts'

/** Where the text can no longer be sent, no draft of it is restored. */
export function useDraftText(subject: string, isWanted: boolean) {
  const [restored] = useState(() => (isWanted ? findDraft(subject) : undefined))
  const before = restored?.values.text?.mine
  const [typed, setTyped] = useState(typeof before === 'string' ? before : '')
  const isKept = useRef(typed !== '')
  useEffect(() => {
    if (!restored) return
    showToast(text(kitTexts, 'draft.restored', { at: draftTime(restored.at) }))
  }, [restored])
  const set = (next: string) => {
    setTyped(next)
    isKept.current = next.trim() !== '' && storeDraft(subject, { text: { base: '', mine: next } })
    if (!isKept.current) deleteDraft(subject)
  }
  return { typed, set, isKept: () => isKept.current }
}
