import type { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { withEmails } from "../../src/email/emails.ts";
import { renewEncryptedTexts } from "../../src/store/database/encrypted-texts.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { queueEmails } from "../../src/store/emails/outbox.ts";
import { startEmailing } from "../support/emailing.ts";
import { makePerson } from "../support/people.ts";
import { readMetrics } from "../support/read-metrics.ts";
import { EMAIL_URL, startSmtp } from "../support/smtp-server.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
});

async function start(options?: Parameters<typeof startEmailing>[0]) {
  const emailing = await startEmailing(options);
  opened.push(emailing);
  const invite = (...emails: string[]) => emailing.server.client.inviteUsers({ body: { role: "Member", emails } });
  const count = async (outcome: string) => (await readMetrics(emailing.server)).get(`gatehouse_emails_total{outcome="${outcome}"}`);
  return { ...emailing, invite, count };
}

const responding = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

test("emails wait while the SMTP server is away, and each is sent once when it is back", async () => {
  const { server, smtp, send, invite, waiting } = await start();
  const { port } = smtp.settings.server;
  await smtp.close();
  await invite("one@example.com", "two@example.com");
  await send();
  expect(await waiting()).toBe(2);
  expect(server.logged.filter((line) => line.includes("The SMTP server accepts no email."))).toHaveLength(1);
  const back = await startSmtp({}, port);
  opened.push(back);
  await send();
  expect(back.received).toEqual([]);
  server.clock.now += 5 * HOUR_MS;
  await send();
  await send();
  expect([back.received.map(({ to }) => to).sort(), await waiting()]).toEqual([["one@example.com", "two@example.com"], 0]);
});

test("an outage uses up none of what a person and a project may get: however often an email is tried, it counts once", async () => {
  const { server, smtp, send, invite, count, waiting } = await start();
  const { port } = smtp.settings.server;
  await smtp.close();
  await invite("kim@example.com");
  for (let attempt = 0; attempt < 60; attempt++) {
    await send();
    server.clock.now += MINUTE_MS;
  }
  expect([server.logged.filter((line) => line.includes("The SMTP server accepts no email.")).length, await waiting()]).toEqual([60, 1]);
  const back = await startSmtp({}, port);
  opened.push(back);
  await send();
  expect([back.received.map(({ to }) => to), await count("sent"), await count("limited"), await waiting()]).toEqual([
    ["kim@example.com"],
    1,
    undefined,
    0,
  ]);
});

test("an email at which the SMTP server drops the connection holds up no others, and is tried less often", async () => {
  let attempts = 0;
  const { server, smtp, send, invite, waiting } = await start({
    smtp: {
      onRcptTo({ address }, session, done) {
        if (address !== "bad@example.com") return done();
        attempts++;
        const { connections } = this as unknown as SMTPServer;
        for (const connection of connections) if (connection.id === session.id) connection.close();
      },
    },
  });
  for (const index of [0, 1, 2, 3, 4]) {
    await invite(...(index === 0 ? ["bad@example.com"] : []), `person${index}@example.com`);
    await send();
    server.clock.now += MINUTE_MS / 2;
  }
  expect(smtp.received.map(({ to }) => to)).toEqual([0, 1, 2, 3, 4].map((index) => `person${index}@example.com`));
  expect([attempts, await waiting()]).toEqual([2, 1]);
  expect(server.logged.filter((line) => line.includes("The SMTP server accepts no email."))).toEqual([]);
});

test("two replicas that send at the same time send each email once", async () => {
  const { server, smtp, send, invite, waiting } = await start();
  const replica = await server.replica();
  opened.unshift(replica);
  const addresses = Array.from({ length: 25 }, (_, index) => `person${index}@example.com`).sort();
  await invite(...addresses);
  await Promise.all([send(), send(replica)]);
  expect([smtp.received.map(({ to }) => to).sort(), await waiting()]).toEqual([addresses, 0]);
});

test("an email that the SMTP server refuses is not sent again, and does not block other emails", async () => {
  const refused = responding(550, "No such user");
  const { smtp, send, invite, waiting, count, server } = await start({
    smtp: { onRcptTo: ({ address }, _, done) => done(address === "gone@example.com" ? refused : null) },
  });
  await invite("gone@example.com", "here@example.com");
  await send();
  expect([smtp.received.map(({ to }) => to), await waiting()]).toEqual([["here@example.com"], 0]);
  expect([await count("refused"), await count("sent")]).toEqual([1, 1]);
  expect(server.logged.find((line) => line.includes("The SMTP server refused an email."))).toContain("550 No such user");
});

test("an email that the SMTP server will take later is tried after a minute, then less often, and given up after a day", async () => {
  let attempts = 0;
  const busy = responding(451, "Try again later");
  const { server, smtp, send, invite, waiting, count } = await start({
    smtp: {
      onRcptTo(_, __, done) {
        attempts++;
        done(busy);
      },
    },
  });
  await invite("kim@example.com");
  const attemptsAfter = async (minutes: number) => {
    server.clock.now += minutes * MINUTE_MS;
    await send();
    return attempts;
  };
  expect([
    await attemptsAfter(0),
    await attemptsAfter(0.5),
    await attemptsAfter(0.5),
    await attemptsAfter(1),
    await attemptsAfter(1),
  ]).toEqual([1, 1, 2, 2, 3]);
  for (let hour = 0; hour < 25; hour++) await attemptsAfter(60);
  expect([smtp.received, await waiting(), await count("expired")]).toEqual([[], 0, 1]);
  expect(attempts).toBe(26);
});

test("line breaks in texts inject neither headers nor recipients", async () => {
  const { server, smtp, send } = await start();
  const { person } = await makePerson(server, { isAdministrator: true });
  const evil = "Hi\r\nBcc: eve@example.com\r\n\r\nBody\u2028\u0085Cc: eve@example.com";
  const link = { label: "Open", path: "/projects/default/gates/a" };
  const content = { subject: evil, paragraphs: [evil], link, footer: { text: evil, link } };
  await writing(server.database, async (db) =>
    queueEmails(db, "default", [{ kind: "notification", personID: person.id, content }], server.clock.now),
  );
  await send();
  const line = "Hi Bcc: eve@example.com Body Cc: eve@example.com";
  expect(smtp.received.map(({ to, headers, text }) => [to, headers.get("subject"), headers.has("bcc"), headers.has("cc"), text])).toEqual([
    [person.email, line, false, false, `${line}\n\nOpen:\n${EMAIL_URL}${link.path}\n\n-- \n${line}\nOpen: ${EMAIL_URL}${link.path}`],
  ]);
});

test("a person gets at most 10 invitations in a day", async () => {
  const { smtp, send, invite, count, waiting } = await start();
  for (let index = 0; index < 12; index++) {
    await invite("kim@example.com");
    await send();
  }
  expect([smtp.received.length, await count("limited"), await waiting()]).toEqual([10, 2, 0]);
});

test("an email whose connection must be protected waits unless the certificate is valid", async () => {
  const smtp = await startSmtp({ disabledCommands: ["AUTH"], logger: false });
  opened.push(smtp);
  const { settings } = smtp;
  const strict = await start({ email: { ...settings, server: { ...settings.server, tls: "required" } } });
  await strict.invite("kim@example.com");
  await strict.send();
  expect([smtp.received, await strict.waiting()]).toEqual([[], 1]);
  const lenient = await start({ email: settings });
  await lenient.invite("lee@example.com");
  await lenient.send();
  expect([smtp.received.map(({ to }) => to), await lenient.waiting()]).toEqual([["lee@example.com"], 0]);
});

test("emails that were written before the secret key was replaced are sent", async () => {
  const { server, smtp, invite, waiting, send } = await start();
  await invite("kim@example.com");
  const [{ content = "" } = {}] = await server.database.prisma.email.findMany();
  expect(content).not.toContain("welcome");
  const [previousSecretKey, secretKey] = ["a secret key of at least 32 characters", "another key of at least 32 characters"];
  expect(await renewEncryptedTexts(server.database.db, { secretKey, previousSecretKey })).toEqual({ renewed: 1, unreadable: 0 });
  const database = withEmails(server.database, { email: smtp.settings, publicUrl: EMAIL_URL, secretKey }, () => server);
  await send({ ...server, database: { ...server.database, ...database } });
  expect([smtp.received.map(({ to }) => to), await waiting()]).toEqual([["kim@example.com"], 0]);
});
