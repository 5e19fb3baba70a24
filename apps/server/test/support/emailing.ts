import { emails } from "../../src/jobs/emails.ts";
import { startServer, type TestServer } from "./server.ts";
import { EMAIL_URL, startSmtp } from "./smtp-server.ts";

/** Starts a server that sends email to an SMTP server of the test. */
export async function startEmailing(options: Parameters<typeof startServer>[0] & { smtp?: Parameters<typeof startSmtp>[0] } = {}) {
  const { smtp: given, ...rest } = options;
  const smtp = await startSmtp(given);
  const server = await startServer({ email: smtp.settings, publicUrl: EMAIL_URL, ...rest });
  const jobs = new Map<TestServer, ReturnType<typeof emails>>();
  return {
    server,
    smtp,

    /** Runs the job that sends emails, which remembers that the SMTP server was away. */
    async send(at: TestServer = server): Promise<void> {
      const job = jobs.get(at) ?? emails();
      jobs.set(at, job);
      await job.run({ database: at.database, log: at.log, now: () => server.clock.now, instruments: server.instruments });
    },

    /** How many emails wait. */
    waiting: () => server.database.prisma.email.count(),

    async close(): Promise<void> {
      await server.close();
      await smtp.close();
    },
  };
}

/** The path and fragment of the first link in a text. */
export const linkIn = (text: string) => text.split(EMAIL_URL)[1]?.split("\n")[0] ?? "";
