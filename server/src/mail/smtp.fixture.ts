// A real SMTP server for tests, and a certificate for it, for `localhost` alone and worth nothing anywhere else.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Setting } from '../settings/settings.ts'

export const LOCAL_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUbkPRJZj3uAKXgQb
RZcvYfToHrcmtrPVjo0ONcFxtIihRANCAAT/mcgME8ZzUAScwXSfLUtQyLiq/Dsb
RfEZx9T+RLIhnnk47t7JgZ87uQ5VeIZyPEbmb0IYjSGpHCFPY9IILiGD
-----END PRIVATE KEY-----
`
export const LOCAL_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjExOTEyMzEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABP+ZyAwTxnNQBJzB
dJ8tS1DIuKr8OxtF8RnH1P5EsiGeeTju3smBnzu5DlV4hnI8RuZvQhiNIakcIU9j
0gguIYOjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
hwR/AAABMB0GA1UdDgQWBBRL13Cm4Y5XIEvhMzGsRyE2vzxr/DAKBggqhkjOPQQD
AgNJADBGAiEAl/4rS8DIsKf0N2UoBEtDhqNJ8wJ9DSX5KEIa5/aI5CQCIQDiLntS
R22cCjKrHCCwwdJ8ZYsmWl0K7wKNwqVbVAeSMg==
-----END CERTIFICATE-----
`

export type ReceivedMail = { from: string; to: string[]; source: string }
type Options = Omit<SMTPServerOptions, 'onData'> & Pick<Partial<SMTPServerOptions>, 'onData'>

export type Smtp = { received: ReceivedMail[]; settings: Setting<'mailServer'>; stop(): Promise<void> }

/** Starts one on a free port; without options it takes any mail from anybody, unencrypted. */
export async function startSmtpServer(options: Options = {}): Promise<Smtp> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    key: LOCAL_KEY,
    cert: LOCAL_CERTIFICATE,
    authOptional: true,
    logger: false,
    closeTimeout: 10,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const settings: Setting<'mailServer'> = {
    serverAddress: 'localhost',
    serverPort: port,
    encrypt: 0,
    senderEmail: 'acc@example.com',
    id: '',
    pw: '',
    receiverEmail: 'admin@example.com',
  }
  return { received, settings, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
