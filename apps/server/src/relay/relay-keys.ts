import type { Schema } from "@gatehouse/contract/evaluation";
import { type AllowedAddresses, allowedAddresses, type OnForeignAddress } from "../authentication/allowed-addresses.ts";
import { createKeyMemory } from "../authentication/key-memory.ts";
import { createLookups, isUnavailable } from "../authentication/lookups.ts";
import { isPossibleToken, isSignedBy, issueToken, type PathTokens, readToken, TOKEN_REQUIRED } from "../authentication/path-tokens.ts";
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
/** The most characters of a path that the origin takes with a token. */
const MAX_PATH_LENGTH = 2_000;
/** The most keys in one request to the origin, and the most characters of their names, which its limit of bodies has room for. */
const MAX_ASKED = { keys: 999, characters: 250_000 };
/** Times of look-ups are stored at least this often, so that a relay that restarts while the origin is away trusts its keys. */
const NOTE_INTERVAL_MS = HOUR_MS;
const UNCOVERED = "The relay does not serve this key: its environments or target apps go beyond those of the relay's own key.";
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
  /** Called when `known` changes, and at least once an hour while keys are looked up. */
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
  /** When `onKnown` was last called. */
  let notedAt = 0;

  async function ask(keys: Schema<"RelayKeyName">[]): Promise<(Schema<"RelayKey"> | undefined)[]> {
    const asked = [{ hash: hashSecret(secret) }, ...keys];
    const answer: Schema<"RelayKeys"> = JSON.parse(await upstream.post("/v1/relay/keys", { keys: asked }));
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
    const refused = new Set(hashes.filter((_, index) => !found[index]));
    if (refused.size > 0) forget((known) => known.hash !== undefined && refused.has(known.hash), lookedUpAt);
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
    const lookedUpAt = now();
    const found = await askAll(ids.map((id) => ({ id })));
    const refused = new Set(ids.filter((_, index) => !found[index]));
    if (refused.size > 0) forget(({ key }) => refused.has(key.id), lookedUpAt);
    return new Map(ids.flatMap((id, index) => (found[index] ? [[id, found[index]] as const] : [])));
  }

  /** Asks in requests that the origin accepts. The relay's own key is the first of each. */
  async function askAll(keys: Schema<"RelayKeyName">[]) {
    const found: (Schema<"RelayKey"> | undefined)[] = [];
    for (let start = 0; start < keys.length; start = found.length) {
      const some: Schema<"RelayKeyName">[] = [];
      for (let characters = 0; some.length < MAX_ASKED.keys && characters < MAX_ASKED.characters; ) {
        const next = keys[start + some.length];
        if (!next) break;
        some.push(next);
        characters += JSON.stringify(next).length;
      }
      const answers = await ask(some);
      found.push(...some.map((_, index) => answers[index]));
    }
    return found;
  }

  function remember(known: KnownKey): void {
    const before = named.get(known.key.id);
    if (before && before.lookedUpAt > known.lookedUpAt) return;
    named.delete(known.key.id);
    const [oldest] = named.keys();
    if (oldest !== undefined && named.size >= MAX_NAMED) named.delete(oldest);
    named.set(known.key.id, { ...known, hash: known.hash ?? before?.hash });
    const isSame = before?.key.version === known.key.version && before.key.isCovered === known.key.isCovered;
    if (!isSame || known.lookedUpAt - notedAt >= NOTE_INTERVAL_MS) note();
  }

  /** Forgets keys that the origin no longer has. A later look-up may have found one of them. */
  function forget(isGone: (known: KnownKey) => boolean, lookedUpAt: number): void {
    const gone = [...named.values()].filter((known) => known.lookedUpAt <= lookedUpAt && isGone(known));
    if (gone.length === 0) return;
    const ids = new Set(gone.map(({ key }) => key.id));
    for (const id of ids) named.delete(id);
    for (const memory of [secrets, tokens]) memory.forget(({ key }) => ids.has(key.id), lookedUpAt);
    note();
  }

  function note(): void {
    notedAt = now();
    onKnown();
  }

  function toTrusted(projectID: string, key: RelayKey): Trusted {
    const { id, type, environments, targetApps, scopes, allowedAddresses: ranges } = key;
    const actor = { id, name: "CONSOLE API", email: null };
    const worksAnywhere = ranges.length === 0;
    const scope = { type, environments, targetApps };
    const credentials = { actor, projectID, scope, scopes: scopes as Credentials["scopes"], worksAnywhere };
    const addresses = allowedAddresses({ projectID, id, allowedAddresses: ranges }, onForeign);
    return { credentials: { ...credentials, ...NO_PERMISSIONS }, key, addresses };
  }

  /** A key that is trusted while the origin is away. */
  function trustedKey({ id }: { id: string }): RelayKey | undefined {
    const { key, lookedUpAt } = named.get(id) ?? { lookedUpAt: 0 };
    const isValid = now() - lookedUpAt <= TRUSTED_WHILE_AWAY_MS && (key?.expiresTime ?? Number.POSITIVE_INFINITY) > now();
    return isValid ? key : undefined;
  }

  function requireUsable(trusted: Trusted | undefined, address: string): Credentials {
    const refusal = upstream.refusal();
    if (refusal !== undefined) throw new AppError("unavailable", refusal);
    const expiresTime = trusted?.key.expiresTime ?? Number.POSITIVE_INFINITY;
    if (!trusted || expiresTime <= now()) throw unauthorized(TOKEN_REQUIRED);
    trusted.addresses.require(address);
    if (!trusted.key.isCovered) throw new AppError("forbidden", UNCOVERED);
    return trusted.credentials;
  }

  return {
    async authenticate(presented, address) {
      return requireUsable(presented ? await secrets.get(hashSecret(presented)) : undefined, address);
    },

    tokens: {
      issue: issueToken,
      async open(token, path, address) {
        if (!isPossibleToken(token) || path.length > MAX_PATH_LENGTH) throw unauthorized(TOKEN_REQUIRED);
        const known = named.get(readToken(token).keyID);
        const hash = known?.projectID === readToken(token).projectID ? known.hash : undefined;
        const isKnown = hash !== undefined && isSignedBy({ hash }, token, path);
        const trusted = isKnown ? secrets.get(hash) : tokens.get(JSON.stringify({ token, path }));
        return requireUsable(await trusted, address);
      },
    },

    async findKeyVersions(names) {
      const found = await Promise.all(names.map(({ id }) => byID.inTime(byID.find(id), named.has(id)))).catch((error: unknown) => {
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
