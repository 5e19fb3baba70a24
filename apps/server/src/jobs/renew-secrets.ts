import type { SecretKeys } from "../common/vault.ts";
import { renewEncryptedTexts } from "../store/database/encrypted-texts.ts";
import type { Job } from "./jobs.ts";

/** Until then, replicas that have not been restarted with the new secret yet can decrypt everything, ms. */
const DELAY_MS = 15 * 60 * 1_000;

/** Encrypts all texts of GATEHOUSE_PREVIOUS_SECRET_KEY with GATEHOUSE_SECRET_KEY, once, and then logs that the former can go. */
export function renewSecrets({ secretKey, previousSecretKey }: Partial<Record<keyof SecretKeys, string | undefined>>): Job {
  let startedAt: number | undefined;
  let isDone = false;
  return {
    name: "renewSecrets",
    intervalMs: 60_000,
    async run({ database, log, now }) {
      if (isDone || secretKey === undefined || previousSecretKey === undefined) return;
      startedAt ??= now();
      if (now() < startedAt + DELAY_MS) return;
      const counts = await renewEncryptedTexts(database.db, { secretKey, previousSecretKey });
      isDone = true;
      log.info(counts, "Everything is encrypted with GATEHOUSE_SECRET_KEY. GATEHOUSE_PREVIOUS_SECRET_KEY can be removed.");
    },
  };
}
