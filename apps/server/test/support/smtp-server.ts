import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { EmailSettings } from "../../src/email/email-settings.ts";

/** An email that an SMTP server took. */
export type ReceivedEmail = {
  to: string;
  from: string;
  /** The headers by their names in lower case, without line breaks. */
  headers: Map<string, string>;
  text: string;
  html: string;
  /** As it was sent, with the headers. */
  raw: string;
};

/** The URL with which the links in emails of tests begin. */
export const EMAIL_URL = "http://flags.example.com";

/** Settings of a server whose emails wait, since no job sends them. */
export const NOWHERE: EmailSettings = {
  server: { host: "127.0.0.1", port: 9, isSecure: false, tls: "optional" },
  from: { name: "", address: "gatehouse@example.com" },
};

/** Starts an SMTP server that records what it takes. @param options for one that refuses, or is protected */
export async function startSmtp(options: SMTPServerOptions = {}, port = 0) {
  const received: ReceivedEmail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push(toReceived(Buffer.concat(chunks).toString("latin1"), envelope));
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const settings: EmailSettings = {
    server: { host: "127.0.0.1", port: (server.server.address() as AddressInfo).port, isSecure: false, tls: "optional" },
    from: { name: "Gatehouse", address: "gatehouse@example.com" },
  };
  return {
    settings,
    received,
    /** The emails to an address, the first one first. */
    to: (address: string) => received.filter(({ to }) => to === address),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

type Envelope = { mailFrom: false | { address: string }; rcptTo: { address: string }[] };

function toReceived(raw: string, { mailFrom, rcptTo }: Envelope): ReceivedEmail {
  const [head, body] = split(raw);
  const headers = toHeaders(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "")?.[1] ?? "";
  const [text = "", html = ""] = body.split(`--${boundary}`).slice(1, -1).map(readPart);
  return { to: rcptTo.map(({ address }) => address).join(), from: mailFrom ? mailFrom.address : "", headers, text, html, raw };
}

function split(text: string): [head: string, body: string] {
  const end = text.indexOf("\r\n\r\n");
  return [text.slice(0, end), text.slice(end + 4)];
}

function toHeaders(head: string): Map<string, string> {
  const lines = head
    .replaceAll(/\r\n[ \t]+/g, " ")
    .trim()
    .split("\r\n");
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), decodeWords(line.slice(line.indexOf(":") + 1).trim())]),
  );
}

function readPart(part: string): string {
  const [head, body] = split(part);
  const encoding = toHeaders(head).get("content-transfer-encoding");
  const decoded =
    encoding === "base64" ? Buffer.from(body, "base64") : Buffer.from(encoding === "7bit" ? body : fromQuotedPrintable(body), "latin1");
  return decoded.toString().replaceAll("\r\n", "\n").trim();
}

const fromQuotedPrintable = (text: string) =>
  text.replaceAll(/=\r\n/g, "").replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** The text of encoded words in a header (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding, text) =>
      Buffer.from(
        encoding.toUpperCase() === "B"
          ? Buffer.from(text, "base64")
          : Buffer.from(fromQuotedPrintable(text.replaceAll("_", " ")), "latin1"),
      ).toString("latin1"),
    )
    .replaceAll(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, "latin1").toString());
}
