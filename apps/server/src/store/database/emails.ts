import type { EmailContent } from "../../common/email-content.ts";

/** An email on its way. Its id is the same in each attempt. */
export type OutgoingEmail = { id: string; to: string; time: number; content: EmailContent };

/**
 * The outcome of an attempt. `refused`: the SMTP server will not take the email, whenever it is sent. `delayed`: it may take it later.
 * `unreachable`: the server did not answer about the email, so it is probably away. The reason is that of the SMTP server or of the connection.
 */
export type SendOutcome = { status: "sent" } | { status: "refused" | "delayed" | "unreachable"; reason: string };

/** Open connections to the SMTP server. */
export type Mailer = {
  send(email: OutgoingEmail): Promise<SendOutcome>;
  close(): void;
};

/** The number of emails or requests of a kind in a project. */
type Dropped = { projectID: string; kind: string; count: number };

/** The server's email. */
export type Emails = {
  /** Encrypts a text of an email until the email is sent. */
  encrypt(id: string, text: string): string;
  /** Undefined if the text was encrypted with another secret. */
  decrypt(id: string, encrypted: string): string | undefined;
  open(): Promise<Mailer>;
  /** Notes emails or requests that are not queued, since too many wait. */
  noteDropped(dropped: Dropped): void;
};
