import { randomUUID } from 'node:crypto'

/** Creates the key of a user or group that was given none; an external directory may set its own later. */
export const newKey = (): string => randomUUID()
