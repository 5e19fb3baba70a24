import type { NodemailerError, SMTPPoolOptions } from "nodemailer";
import { deadline } from "../common/signals.ts";
import type { Mailer, OutgoingEmail, SendOutcome } from "../store/database/emails.ts";
import type { EmailSettings, SmtpServer } from "./email-settings.ts";
import { render } from "./render.ts";

/** Open connections to the SMTP server at a time. */
const MAX_CONNECTIONS = 3;
/** For a connection and for its greeting. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Of inactivity. SMTP servers may examine an email before they answer. */
const SILENCE_TIMEOUT_MS = 30_000;
/** The most time for an email, with its connection. */
const SEND_TIMEOUT_MS = 60_000;
const MAX_REASON_LENGTH = 500;

/** Opens connections to the SMTP server when they are needed. Only servers that send email load the library. */
export async function openMailer({ server, from }: EmailSettings, publicUrl: string): Promise<Mailer> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(toOptions(server));
  const domain = from.address.slice(from.address.indexOf("@") + 1);
  const compose = ({ id, to, time, content }: OutgoingEmail) => ({
    from,
    to: { name: "", address: to },
    envelope: { from: from.address, to: [to] },
    ...render(content, publicUrl),
    // The same in each attempt, so that a server that got an email twice can drop one.
    messageId: `<${id}@${domain}>`,
    date: new Date(time),
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    xMailer: false as const,
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return {
    async send(email) {
      const time = deadline(SEND_TIMEOUT_MS);
      try {
        await transport.sendMail({ ...compose(email), signal: time.signal });
        return { status: "sent" };
      } catch (error) {
        return toOutcome(error as NodemailerError);
      } finally {
        time.release();
      }
    },
    close: () => transport.close(),
  };
}

function toOptions({ host, port, isSecure, tls, credentials }: SmtpServer): SMTPPoolOptions & { pool: true } {
  return {
    ...{ pool: true, maxConnections: MAX_CONNECTIONS, maxRequeues: 0, host, port, secure: isSecure },
    ...(!isSecure && { requireTLS: tls === "required", ignoreTLS: tls === "off" }),
    ...(tls === "optional" && { tls: { rejectUnauthorized: false } }),
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    ...{ connectionTimeout: CONNECT_TIMEOUT_MS, greetingTimeout: CONNECT_TIMEOUT_MS, dnsTimeout: CONNECT_TIMEOUT_MS },
    socketTimeout: SILENCE_TIMEOUT_MS,
  };
}

/** A server that answers about an email could be reached. A refusal of the sender or of the credentials is one of all emails. */
function toOutcome(error: NodemailerError): SendOutcome {
  const reason = error.message.slice(0, MAX_REASON_LENGTH);
  const { command, responseCode = 0 } = error;
  if (command !== "RCPT TO" && command !== "DATA") return { status: "unreachable", reason };
  return { status: responseCode >= 500 && responseCode !== 503 ? "refused" : "delayed", reason };
}
