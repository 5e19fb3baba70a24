import { hostOf, isListedHost } from "../common/listed-hosts.ts";
import { createVault, type SecretKeys } from "../common/vault.ts";
import type { Database } from "../store/database/database.ts";
import type { Models } from "../store/database/models.ts";
import { complete } from "./chat.ts";
import { ModelFailure } from "./model-failure.ts";
import { retrying } from "./retries.ts";

/** The operator's settings for models. */
export type ModelSettings = {
  /** The hosts that the server may ask, `host` or `host:port`, in lower case. */
  hosts: readonly string[];
  /** The secret with which API keys are encrypted. Undefined means that none can be stored. */
  secretKey: string | undefined;
} & Pick<SecretKeys, "previousSecretKey">;

const NO_SECRET = "needs GATEHOUSE_SECRET_KEY, with which the server encrypts it. It is not set";

function createModels({ hosts, secretKey, previousSecretKey }: ModelSettings): Models {
  const vault = secretKey === undefined ? undefined : createVault({ secretKey, previousSecretKey }, "model keys");

  const refusal: Models["refusal"] = (text) => {
    if (!URL.canParse(text)) return "must be a URL such as https://api.openai.com/v1";
    const url = new URL(text);
    if (url.protocol !== "https:" && url.protocol !== "http:") return "must be an https or http URL";
    if (url.username !== "" || url.password !== "") return "must have no user and no password";
    if (/[?#]/.test(text)) return "must have no query and no fragment";
    const { host, port } = hostOf(url);
    if (isListedHost({ host, port }, hosts)) return undefined;
    return `must have one of the hosts in GATEHOUSE_MODEL_HOSTS, which the operator of the server sets. ${host}:${port} is none of them`;
  };

  return {
    refusal,

    protect: (projectID, key) => (vault ? { encrypted: vault.encrypt(projectID, key) } : { fault: NO_SECRET }),

    open(projectID, { url, encrypted }) {
      const fault = refusal(url);
      if (fault !== undefined) throw new ModelFailure("endpoint", `Its URL ${fault}.`);
      const key = encrypted === null ? undefined : vault?.decrypt(projectID, encrypted);
      if (encrypted !== null && key === undefined)
        throw new ModelFailure("endpoint", "Its API key was encrypted with another GATEHOUSE_SECRET_KEY. Send it again.");
      return { ask: (request, options) => retrying(() => complete({ url, key }, request, options.signal), options) };
    },
  };
}

/** The same database, whose projects can ask models. */
export function withModels(database: Database, settings: ModelSettings): Database {
  const models = createModels(settings);
  return {
    ...database,
    db: { ...database.db, models },
    transaction: (work, options) => database.transaction((db) => work({ ...db, models }), options),
  };
}
