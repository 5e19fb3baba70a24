import type { WritableSchema } from "@gatehouse/contract/console";

/** The options of the command do not describe a valid key. */
export class FaultyKey extends Error {}

/** A key to create, from the options of the command line. */
export type KeyInput = Pick<WritableSchema<"KeyCreate">, "type" | "description"> & Partial<WritableSchema<"KeyCreate">>;

type Options = {
  type?: string | undefined;
  description?: string | undefined;
  environment?: string[] | undefined;
  "target-app"?: string[] | undefined;
  scope?: string[] | undefined;
  "allowed-address"?: string[] | undefined;
};

const TYPES = { console: "CONSOLE", server: "SERVER", client: "CLIENT" } as const;
const SCOPES = ["omni_read_only", "omni_read_write", "can_access_keys", "client_download_config_specs", "mcp_write"] as const;

/** @throws FaultyKey */
export function readKey({ type: typeName = "console", description = `${typeName} key`, ...limits }: Options): KeyInput {
  const type = TYPES[typeName as keyof typeof TYPES];
  if (type === undefined) throw new FaultyKey(`A type is one of ${Object.keys(TYPES).join(", ")}.`);
  if (!/^[^\p{Cc}]{1,1000}$/u.test(description)) throw new FaultyKey("A description has 1 to 1000 characters and no control characters.");
  const [targetAppID, ...secondaryTargetAppIDs] = limits["target-app"] ?? [];
  return {
    type,
    description,
    ...(limits.scope && { scopes: [...new Set(limits.scope.map(readScope))] }),
    environments: [...new Set(limits.environment)],
    allowedAddresses: limits["allowed-address"] ?? [],
    ...(targetAppID !== undefined && { targetAppID, secondaryTargetAppIDs }),
  };
}

function readScope(text: string) {
  const scope = SCOPES.find((one) => one === text);
  if (scope === undefined) throw new FaultyKey(`A scope is one of ${SCOPES.join(", ")}.`);
  return scope;
}
