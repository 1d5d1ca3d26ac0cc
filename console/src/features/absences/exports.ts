// The parts of this feature that other features and the shell may import.
export { AbsenceDialog } from './AbsenceDialog.tsx'
export { absencesTexts } from './absences.ts'
export { SubstituteNotice } from './SubstituteNotice.tsx'
