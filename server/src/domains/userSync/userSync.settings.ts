// The setting of the source: what a form sends is completed and checked here, before it is tested or saved. It is
// looked at at full hours (UTC), every so many hours from the hour of the setting.
import { X509Certificate } from 'node:crypto'
import { DirectoryEncryption, GroupBy, SyncKind } from '@acc/contract/labels/userImports'
import { type DirectoryInput, directoryPort, type SyncInput } from '@acc/contract/userSync'
import { hours } from '../../clock.ts'
import { fail } from '../../core/errors.ts'
import type { Env } from '../../env.ts'
import type { Setting } from '../../settings/settings.ts'
import { RefusedSource } from '../userImports/source.ts'
import { parseName } from './userSync.names.ts'

export type Sync = Setting<'userSync'>

const failOn = (...fields: string[]): never =>
  fail('INVALID_INPUT', { fields: fields.map((name) => `directory.${name}`) })

/** Whether the stored password was typed for this directory and account. */
function isSamePlace(input: DirectoryInput, stored: Sync['directory']): boolean {
  if (stored === null) return false
  const same = (['serverAddress', 'encrypt', 'bindDn'] as const).every((name) => input[name] === stored[name])
  return same && directoryPort(input) === directoryPort(stored)
}

/** Returns the password of a form: the typed one, or the stored one of the same place. It must not go elsewhere. */
function passwordOf({ bindPw, ...input }: DirectoryInput, stored: Sync | undefined): string {
  if (input.bindDn === '') return ''
  const kept = stored !== undefined && isSamePlace(input, stored.directory) ? stored.bindPw : ''
  // Directories take a name without a password as nobody, and find less.
  return (bindPw ?? kept) || failOn('bindPw')
}

function isReadable(authorities: string): boolean {
  const all = authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return all.every((pem) => new X509Certificate(pem).subject !== undefined)
  } catch {
    return false
  }
}

async function requireDirectory({ authorities, base, filter, groupBy, attributes }: DirectoryInput): Promise<void> {
  if (!isReadable(authorities)) failOn('authorities')
  if (parseName(base) === undefined) failOn('base')
  // The library is loaded with the first directory.
  const { parseFilter } = await import('./userSync.directory.ts')
  try {
    parseFilter(filter)
  } catch (error) {
    if (!(error instanceof RefusedSource)) throw error
    failOn('filter')
  }
  if (groupBy === GroupBy.ATTRIBUTE && attributes.group === '') failOn('attributes.group')
}

/**
 * Returns the setting that a form describes. A directory that is not used keeps its fields and its password, so that it
 * can be switched on again. Throws INVALID_INPUT.
 */
export async function completeSync(
  input: SyncInput,
  stored: Sync | undefined,
  env: Pick<Env, 'peopleDir'>,
): Promise<Sync> {
  const { kind, directory } = input
  if (kind === SyncKind.DIRECTORY && directory === null) fail('INVALID_INPUT', { fields: ['directory'] })
  if (kind === SyncKind.FOLDER && env.peopleDir === undefined) fail('INVALID_INPUT', { fields: ['kind'] })
  if (kind === SyncKind.NONE && stored !== undefined) return { ...stored, kind }
  if (kind !== SyncKind.DIRECTORY || directory === null)
    return { ...input, directory: stored?.directory ?? null, bindPw: stored?.bindPw ?? '' }
  await requireDirectory(directory)
  const { bindPw: _, ...kept } = directory
  return { ...input, directory: kept, bindPw: passwordOf(directory, stored) }
}

const OPTIONS = ['addsGroups', 'adopts', 'mailsPasswords'] as const

/** The value of the history: everything but the password. The words of its kind begin it. */
export function wordsOf(sync: Sync | undefined, groupName: string): string | null {
  if (sync === undefined) return null
  const { kind, directory, options, everyHours, hour } = sync
  const words: string[] = [SyncKind.labels[kind].en]
  if (kind === SyncKind.NONE) return words.join()
  if (kind === SyncKind.DIRECTORY && directory !== null) {
    const { serverAddress, encrypt, bindDn, base, filter, groupBy, attributes } = directory
    const mapped = Object.entries(attributes).filter(([, name]) => name !== '')
    words.push(
      `${serverAddress}:${directoryPort(directory)} (${DirectoryEncryption.labels[encrypt].en})`,
      bindDn,
      base,
      filter,
    )
    words.push(...mapped.map((pair) => pair.join('=')), GroupBy.labels[groupBy].en)
  }
  const chosen = OPTIONS.filter((name) => options[name] === 1)
  const when = everyHours === 0 ? [] : [`every ${everyHours} h from ${String(hour).padStart(2, '0')}:00 UTC`]
  return [...words, groupName, ...chosen, ...when].filter((word) => word !== '').join(', ')
}

type Schedule = { everyHours: number; hour: number }

/** Returns the first look after a moment; undefined if only a person starts runs. */
export function nextAfter({ everyHours, hour }: Schedule, moment: Date): Date | undefined {
  if (everyHours === 0) return undefined
  const step = hours(everyHours)
  const offset = hours(hour) % step
  return new Date((Math.floor((moment.getTime() - offset) / step) + 1) * step + offset)
}
