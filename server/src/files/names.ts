// The names of stored files, which are ours alone: anything else never becomes part of a path.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

const NAME = /^[0-9a-f]{32}$/

/** Returns a name that no other file has. */
export const newName = (): string => randomBytes(16).toString('hex')

export const isName = (name: string): boolean => NAME.test(name)

/** 65,536 folders, so that none grows long: `4f/a0/4fa0...`. */
export const pathOf = (folder: string, name: string): string => join(folder, name.slice(0, 2), name.slice(2, 4), name)
