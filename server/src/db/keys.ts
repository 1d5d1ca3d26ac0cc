import { randomUUID } from 'node:crypto'

/** The key that a user or group gets where nobody gave one: an outside directory may set its own later. */
export const newKey = (): string => randomUUID()
