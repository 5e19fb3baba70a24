import type { Schema } from "@gatehouse/contract/evaluation";
import { type AllowedAddresses, allowedAddresses, type OnForeignAddress } from "../authentication/allowed-addresses.ts";
import { createKeyMemory } from "../authentication/key-memory.ts";
import { createLookups, isUnavailable } from "../authentication/lookups.ts";
import { isSignedBy, issueToken, type PathTokens, readToken } from "../authentication/path-tokens.ts";
import type { Authenticate, Credentials } from "../common/context.ts";
import { AppError, unauthorized } from "../common/errors.ts";
import { HOUR_MS } from "../common/utc-day.ts";
import type { FindKeyVersions } from "../evaluation/ofrep/flag-streams.ts";
import { hashSecret } from "../tokens/secret.ts";
import { originAway, type Upstream } from "./upstream.ts";

/** How long a key is trusted after its last look-up while the origin is away. */
const TRUSTED_WHILE_AWAY_MS = 24 * HOUR_MS;
/** The most keys whose tokens are checked without asking the origin. */
const MAX_NAMED = 10_000;
const MAX_TOKEN_LENGTH = 500;
const UNCOVERED = "The relay does not serve this key: its environments or target apps go beyond those of the relay's own key.";
const UNAUTHENTICATED = "An active API key is required in the header SERVICE-API-KEY.";
const TOKEN_REQUIRED = "The token of this URL is required in the query.";
/** The permissions of keys mean nothing to a relay. */
const NO_PERMISSIONS = { permissions: new Set<never>(), grantedBy: "", limits: null, publishing: null, administersInstance: false };

type RelayKey = NonNullable<Schema<"RelayKey">>;

/** A key as the origin described it, with the time of that, ms since the epoch. The hash is missing if only its tokens were presented. */
export type KnownKey = { hash?: string | undefined; projectID: string; key: RelayKey; lookedUpAt: number };

type Trusted = { credentials: Credentials; key: RelayKey; addresses: AllowedAddresses };

export type RelayKeys = {
  authenticate: Authenticate;
  tokens: PathTokens;
  findKeyVersions: FindKeyVersions;
  /** The relay's own credentials, once the origin has told them. */
  own(): { projectID: string; id: string } | undefined;
  /** Asks the origin for the relay's own key. @throws AppError unavailable */
  check(): Promise<void>;
  /** Whether any key would be trusted if the origin were away. */
  hasTrusted(): boolean;
  /** The keys that were looked up, to store them. */
  known(): KnownKey[];
  /** Remembers keys that were stored. */
  restore(keys: KnownKey[]): void;
};

type Options = {
  upstream: Upstream;
  /** The relay's own key. */
  secret: string;
  now: () => number;
  onForeign: OnForeignAddress;
  /** Called with the time of the project's ruleset whenever the origin tells it. */
  onTime: (time: number) => void;
  /** Called when `known` changes. */
  onKnown?: () => void;
};

/**
 * Looks up the keys of applications at the origin, which receives only hashes. As on a server, an answer counts for half a second, and one
 * request asks for all keys that are waiting. So revoked keys stop working in less than a second, and unknown keys can't flood the origin.
 */
export function createRelayKeys({ upstream, secret, now, onForeign, onTime, onKnown = () => {} }: Options): RelayKeys {
  const source = { mayHang: () => true, isHeld: () => false, trustedWhileAwayMs: TRUSTED_WHILE_AWAY_MS, toUnavailable: originAway };
  const secrets = createKeyMemory(findByHash, now, source);
  const tokens = createKeyMemory(findByToken, now, source);
  /** Streams that are opened at once share a request. */
  const byID = createLookups(findByID, source.mayHang, originAway);
  /** By key ID. */
  const named = new Map<string, KnownKey>();
  let own: { projectID: string; id: string } | undefined;

  async function ask(keys: Schema<"RelayKeyName">[]): Promise<(Schema<"RelayKey"> | undefined)[]> {
    const asked = [{ hash: hashSecret(secret) }, ...keys];
    const answer: Schema<"RelayKeys"> = JSON.parse(await upstream.post("/v1/relay/keys", { keys: asked.slice(0, 1_000) }));
    const [first, ...others] = answer.keys;
    if (first) own = { projectID: answer.projectID, id: first.id };
    onTime(answer.time);
    return others;
  }

  async function findByHash(hashes: string[]): Promise<Map<string, Trusted>> {
    const lookedUpAt = now();
    const found = await askAll(hashes.map((hash) => ({ hash })));
    const entries = hashes.flatMap((hash, index) => {
      const key = found[index];
      if (!key || !own) return [];
      remember({ hash, projectID: own.projectID, key, lookedUpAt });
      return [[hash, toTrusted(own.projectID, key)] as const];
    });
    return new Map(entries);
  }

  async function findByToken(names: string[]): Promise<Map<string, Trusted>> {
    const lookedUpAt = now();
    const found = await askAll(names.map((name) => JSON.parse(name) as { token: string; path: string }));
    const entries = names.flatMap((name, index) => {
      const key = found[index];
      if (!key || !own) return [];
      remember({ projectID: own.projectID, key, lookedUpAt });
      return [[name, toTrusted(own.projectID, key)] as const];
    });
    return new Map(entries);
  }

  async function findByID(ids: string[]): Promise<Map<string, RelayKey>> {
    const found = await askAll(ids.map((id) => ({ id })));
    return new Map(ids.flatMap((id, index) => (found[index] ? [[id, found[index]] as const] : [])));
  }

  /** The relay's own key is the first of each request. */
  async function askAll(keys: Schema<"RelayKeyName">[]) {
    const [most, rest] = [keys.slice(0, 999), keys.slice(999)];
    const found = await ask(most);
    return rest.length > 0 ? [...found, ...(await ask(rest))] : found;
  }

  function remember(known: KnownKey): void {
    const before = named.get(known.key.id);
    named.delete(known.key.id);
    const [oldest] = named.keys();
    if (oldest !== undefined && named.size >= MAX_NAMED) named.delete(oldest);
    named.set(known.key.id, { ...known, hash: known.hash ?? before?.hash });
    if (before?.key.version !== known.key.version) onKnown();
  }

  function toTrusted(projectID: string, key: RelayKey): Trusted {
    const { id, type, environments, targetApps, scopes, allowedAddresses: ranges } = key;
    const actor = { id, name: "CONSOLE API", email: null };
    const credentials = { actor, projectID, scope: { type, environments, targetApps }, scopes: scopes as Credentials["scopes"] };
    const addresses = allowedAddresses({ projectID, id, allowedAddresses: ranges }, onForeign);
    return { credentials: { ...credentials, ...NO_PERMISSIONS }, key, addresses };
  }

  /** A key that is trusted while the origin is away. */
  function trustedKey({ id }: { id: string }): RelayKey | undefined {
    const { key, lookedUpAt } = named.get(id) ?? { lookedUpAt: 0 };
    const isValid = now() - lookedUpAt <= TRUSTED_WHILE_AWAY_MS && (key?.expiresTime ?? Number.POSITIVE_INFINITY) > now();
    return isValid ? key : undefined;
  }

  function requireUsable(trusted: Trusted | undefined, address: string, message: string): Credentials {
    const refusal = upstream.refusal();
    if (refusal !== undefined) throw new AppError("unavailable", refusal);
    const expiresTime = trusted?.key.expiresTime ?? Number.POSITIVE_INFINITY;
    if (!trusted || expiresTime <= now()) throw unauthorized(message);
    trusted.addresses.require(address);
    if (!trusted.key.isCovered) throw new AppError("forbidden", UNCOVERED);
    return trusted.credentials;
  }

  return {
    async authenticate(presented, address) {
      return requireUsable(presented ? await secrets.get(hashSecret(presented)) : undefined, address, UNAUTHENTICATED);
    },

    tokens: {
      issue: issueToken,
      async open(token, path, address) {
        if (token === "" || token.length > MAX_TOKEN_LENGTH) throw unauthorized(TOKEN_REQUIRED);
        const known = named.get(readToken(token).keyID);
        const hash = known?.projectID === readToken(token).projectID ? known.hash : undefined;
        const isKnown = hash !== undefined && isSignedBy({ hash }, token, path);
        const trusted = isKnown ? secrets.get(hash) : tokens.get(JSON.stringify({ token, path }));
        return requireUsable(await trusted, address, TOKEN_REQUIRED);
      },
    },

    async findKeyVersions(names) {
      const found = await Promise.all(names.map(({ id }) => byID.find(id))).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        return upstream.refusal() === undefined ? names.map(trustedKey) : [];
      });
      return names.flatMap(({ projectID, id }, index) => {
        const key = found[index];
        return key?.isCovered && projectID === own?.projectID ? [{ projectID, id, version: key.version }] : [];
      });
    },

    own: () => own,
    check: async () => void (await ask([])),
    hasTrusted: secrets.hasTrusted,
    known: () => [...named.values()].filter(({ hash }) => hash !== undefined),

    restore(keys) {
      for (const known of keys) {
        named.set(known.key.id, known);
        own ??= { projectID: known.projectID, id: "" };
        if (known.hash) secrets.restore(known.hash, toTrusted(known.projectID, known.key), known.lookedUpAt);
      }
    },
  };
}
