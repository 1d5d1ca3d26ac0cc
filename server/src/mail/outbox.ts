// The evaluation outbox: without a mail server each mail becomes a file for mail programs (RFC 5322). Only the owner
// may read it, since it may contain a temporary password. Files are written atomically.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, replaceFile } from '../disk.ts'
import { MailError } from './errors.ts'
import { messageOf, type OutgoingMail } from './message.ts'

const SENDER = 'noreply@localhost'
// The order of the names is that of the writing: 20261121T040302Z-17.eml
const stampOf = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d+/g, '')
const nameOf = ({ createDT, idx }: OutgoingMail) => `${stampOf(createDT)}-${idx}.eml`
const FILE = /^(\d{8}T\d{6}Z)-\d+\.eml$/

/** Writes the mail as a file of the folder, which is created if it is missing. A repeated mail replaces its file. */
export async function writeToOutbox(folder: string, mail: OutgoingMail): Promise<void> {
  const { default: nodemailer } = await import('nodemailer')
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail(messageOf(mail, SENDER))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await replaceFile(join(folder, nameOf(mail)), message)
  } catch (error) {
    throw new MailError(`the outbox cannot be written: ${codeOf(error)}`)
  }
}

/** Deletes the files of mails older than `bound`; other files remain. */
export async function clearOutbox(folder: string, bound: Date): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const stamp = FILE.exec(name)?.[1]
    if (stamp !== undefined && stamp < stampOf(bound)) await rm(join(folder, name), { force: true })
  }
}
