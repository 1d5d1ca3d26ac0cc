// Every setting of the database: its schema, and which of its fields are secrets.

import { AccountProtection } from '@acc/contract/accountProtection'
import { PasswordRule } from '@acc/contract/configs'
import { email, flag, hostInUrl, idx } from '@acc/contract/core/fields'
import { MAX_PORT } from '@acc/contract/core/limits'
import { MAX_FILE_RETENTION_DAYS } from '@acc/contract/infos'
import { Encryption } from '@acc/contract/labels/mails'
import { MAX_DEVICES_PER_USER } from '@acc/contract/licenses'
import { MAX_EXPIRY_DAYS, MAX_OVERDUE_HOURS } from '@acc/contract/notices'
import { DirectoryInput, SyncInput } from '@acc/contract/userSync'
import { z } from 'zod'

/** `sealed` names text fields of the schema. */
const setting = <S extends z.ZodType, const F extends readonly (keyof z.output<S> & string)[]>(
  schema: S,
  sealed: F,
) => ({ schema, sealed })

const count = z.int().min(0)

/** An uploaded logo: a PNG as base64, and what the history calls it. */
const logo = setting(z.object({ data: z.base64(), name: z.string(), width: z.int(), height: z.int() }), [])

export const SETTINGS = {
  /** Names the secret key that the data is sealed with; written at the first start. */
  secretKeyFingerprint: setting(z.string().min(1), []),
  /** Names the key that secrets are sealed with while they are rotated to it. */
  nextKeyFingerprint: setting(z.string().min(1), []),
  /** The key that seals the history, stored once the secret key it was derived from is rotated: it stays the same. */
  historySealKey: setting(z.object({ seed: z.string().min(1) }), ['seed']),
  /** Names this database in what leaves it: drawn once, and counted and drawn anew by each restore. */
  installation: setting(z.object({ id: z.string(), restores: count, restoreId: z.string() }), []),
  /** The last seal of the history, signed with the key of the seals (history.head.ts). */
  historyHead: setting(z.string().min(1), []),
  /** The last verifications of the history (history.checks.ts), sealed so that the database alone cannot invent one. */
  historyChecks: setting(z.object({ text: z.string().min(1) }), ['text']),
  /** An administrator chose the evaluation outbox in place of a mail server. */
  evaluationOutbox: setting(z.literal(true), []),
  /** Whether users without a setting of their own sign in with a one-time password; 0 while it is not set. */
  defaultOtp: setting(flag, []),
  /** The license file as it was uploaded: it is verified again whenever it is used. */
  license: setting(z.object({ file: z.string().min(1), registerDT: z.iso.datetime({ precision: 3 }) }), []),
  /** An administrator chose to start with the evaluation license. */
  evaluationLicense: setting(z.literal(true), []),
  /** PCs that one user may register; the operator's number where it is not set. */
  devicesPerUser: setting(z.int().min(1).max(MAX_DEVICES_PER_USER), []),
  accountProtection: setting(AccountProtection, []),
  /** Hours after which a waiting request is overdue; 0: never. */
  overdueHours: setting(z.int().min(0).max(MAX_OVERDUE_HOURS), []),
  /** Days after which a waiting request expires, 0 for never; and when that was set. */
  requestExpiry: setting(
    z.object({ days: z.int().min(0).max(MAX_EXPIRY_DAYS), changeDT: z.iso.datetime({ precision: 3 }) }),
    [],
  ),
  /** Days for which the files of decided requests are kept, 0 without an end; and when that was set. */
  fileRetention: setting(
    z.object({ days: z.int().min(0).max(MAX_FILE_RETENTION_DAYS), changeDT: z.iso.datetime({ precision: 3 }) }),
    [],
  ),
  /** The rules for new passwords; those of the product while it is not set. */
  passwordRules: setting(z.object({ positiveRules: z.array(PasswordRule), negativeRules: z.array(PasswordRule) }), []),
  mailServer: setting(
    z.object({
      serverAddress: z.string().min(1),
      /** 0 means the encryption's default port. */
      serverPort: z.int().min(0).max(MAX_PORT),
      /** STARTTLS is required where it is chosen. */
      encrypt: z.literal(Encryption.values),
      senderEmail: email,
      /** Empty: the server asks for no authentication. */
      id: z.string(),
      pw: z.string(),
      /** Receives test mails. */
      receiverEmail: email,
    }),
    ['pw'],
  ),
  /** The address under which desktop clients reach this server; fills the placeholder in configurations. */
  hostServerAddress: setting(hostInUrl(63), []),
  loginPageLogo: logo,
  managePageLogo: logo,
  /** Raised by each Sync of the BIM servers; part of the revision of their rules. */
  bimSyncs: setting(z.int().min(1), []),
  /** The newest backup of this database, how much is in it, and whether it is on the disk that it protects. */
  lastBackup: setting(
    z.object({
      id: z.string(),
      moment: z.iso.datetime({ precision: 3 }),
      rows: count,
      files: count,
      size: count,
      missing: count,
      isOnSameDisk: flag,
    }),
    [],
  ),
  /** The round in which all stored files are read: how far it is (null: complete), and how many files a run reads. */
  fileScrub: setting(
    z.object({ beginDT: z.iso.datetime({ precision: 3 }), after: count.nullable(), perRun: z.int().min(1) }),
    [],
  ),
  /** The newest verification of a backup of this database; `failure` is why it failed. */
  lastBackupCheck: setting(
    z.object({ id: z.string(), moment: z.iso.datetime({ precision: 3 }), failure: z.string().nullable() }),
    [],
  ),
  /** The newest verification of the WAL archive in this folder; `failure` is why it failed. */
  lastArchiveCheck: setting(
    z.object({ folder: z.string(), moment: z.iso.datetime({ precision: 3 }), failure: z.string().nullable() }),
    [],
  ),
  /** The urgent faults that were mailed, by name: when, and whether the fault has gone since. */
  faultMails: setting(z.record(z.string(), z.object({ mailDT: z.iso.datetime({ precision: 3 }), isGone: flag })), []),
  /** The group of users that single sign-on creates. */
  ssoPolicy: setting(z.object({ userCreateGroupIdx: idx }), []),
  /** The source that keeps accounts up to date, and the password of its account; empty without one. */
  userSync: setting(
    SyncInput.extend({ directory: DirectoryInput.omit({ bindPw: true }).nullable(), bindPw: z.string() }),
    ['bindPw'],
  ),
  /** The last look at the source of user synchronization, and the last one that found an unchanged file. */
  userSyncLook: setting(
    z.object({
      /** Looks that were due until then are done. */
      doneDT: z.iso.datetime({ precision: 3 }),
      unchangedDT: z.iso.datetime({ precision: 3 }).nullable(),
    }),
    [],
  ),
} as const
