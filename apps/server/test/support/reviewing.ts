import { type ConsoleClient, createConsoleClient, ReviewRequiredError, type Schema, type WritableSchema } from "@gatehouse/client";
import { makeKey } from "./keys.ts";
import { makePerson } from "./people.ts";
import type { TestServer } from "./server.ts";

/** A person of the default project, who calls the API in a session. */
export type Colleague = { id: string; email: string; client: ConsoleClient };

/** Requests and decides reviews on a test's server. */
export function reviewing(server: () => TestServer) {
  let count = 0;
  let made: Promise<string> | undefined;

  /** A key whose writes need no review. */
  function exemptKey(): Promise<string> {
    made ??= makeKey(server(), { type: "CONSOLE", scopes: ["omni_read_write", "bypass_reviews"] }).then(({ key }) => key);
    return made;
  }

  /** A client with such a key. */
  async function exempt(): Promise<ConsoleClient> {
    return createConsoleClient({ baseUrl: server().url, apiKey: await exemptKey(), retry: { attempts: 1 } });
  }

  return {
    exemptKey,

    exempt,

    /** Makes a person with a role: a built-in one, or a new one that has these permissions and publishes there. */
    async colleague(role: string | Schema<"Permissions"> = "Member", publishesIn: string[] | null = null): Promise<Colleague> {
      const { client, url } = server();
      const name = typeof role === "string" ? role : `reviewer role ${++count}`;
      if (typeof role !== "string") await client.createRole({ body: { name, permissions: role, publishesIn } });
      const { person, session } = await makePerson(server());
      await client.updateProjectMember({ path: { id: "default", email: person.email }, body: { role: name } });
      const options = { baseUrl: url, session, projectID: "default", retry: { attempts: 1 } };
      return { id: person.id, email: person.email, client: createConsoleClient(options) };
    },

    /** Sets which environments require a review. @param team the id or the name of the team that approves */
    async require(names: readonly string[], team: string | null = null): Promise<void> {
      const client = await exempt();
      const { environments } = (await client.getEnvironments()).data;
      const changed = environments.map((one) => {
        const requiresReview = names.includes(one.name);
        return { ...one, requiresReview, requiredReviewGroupID: requiresReview ? team : null };
      });
      await client.updateEnvironments({ body: { environments: changed } });
    },

    /** A gate that is off in the whole project. */
    async gate(given: Partial<WritableSchema<"GateCreate">> = {}): Promise<string> {
      const client = await exempt();
      const name = `reviewed ${++count}`;
      return (await client.createGate({ body: { name, isEnabled: false, rules: [EVERYONE], ...given } })).data.id;
    },
  };
}

/** A rule that everyone passes. */
export const EVERYONE = { name: "Everyone", passPercentage: 100, conditions: [] };

/** The review that a write was answered with. */
export async function reviewOf(writing: Promise<unknown>): Promise<Schema<"Review">> {
  const error = await writing.then(
    () => new Error("The write was made."),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ReviewRequiredError) return error.review;
  throw error;
}
