import { systemContext } from "../../src/bootstrap.ts";
import { MANAGING, newKey } from "../../src/console/keys/key.ts";
import { hashSecret } from "../../src/console/keys/secret.ts";
import type { TestServer } from "./server.ts";

/** Makes a project beside the default one, and answers a console key of it. Neither is in the change log. */
export async function makeOtherProject({ database: { prisma } }: TestServer): Promise<string> {
  const projectID = "other";
  const context = systemContext("makeOtherProject", 0, projectID);
  const { key, secret } = newKey({ type: "CONSOLE", description: "other", scopes: [...MANAGING] }, context);
  const { id, type, status, scopes, createdTime, version } = key;
  await prisma.project.create({ data: { id: projectID, name: "Other", createdTime } });
  await prisma.key.create({
    data: { projectID, id, hash: hashSecret(secret), type, status, scopes, createdTime, version, entity: JSON.stringify(key) },
  });
  return secret;
}
