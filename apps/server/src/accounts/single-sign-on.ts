import { DEFAULT_PROJECT } from "../common/context.ts";
import { domainOfEmail } from "../common/email.ts";
import { AppError } from "../common/errors.ts";
import { newPerson, type Person, toActor } from "../console/people/person.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import type { AccountEnv } from "./account-env.ts";
import { endAccess } from "./end-access.ts";
import type { Identity } from "./identity.ts";
import { findByIdentity, linkIdentity } from "./identity-store.ts";
import { noteFailedSignIn } from "./note-failed-sign-in.ts";
import { noteSession } from "./note-session.ts";
import type { OidcConfig, Provider, SignInState } from "./provider.ts";
import { applyRole, findRole } from "./role-mapping.ts";
import { type Begun, begin, openPersonStores } from "./sign-in.ts";
import { inactive, late, ofOtherDomain, ofRole, withoutAddress } from "./sign-in-failures.ts";
import { writeAccount } from "./write-account.ts";

/** The maximum length of a session after single sign-on, so that lost access counts within that time. */
const LONGEST_MS = 12 * 60 * 60 * 1000;

const LEFT_OUT =
  "The provider left out the claim that decides the role, since it has too many values for this person. The person keeps their role. Let the provider send only the groups of this application, or app roles.";

const NAMED_BY_PROVIDER = { isSingleSignOn: true, passwordTime: null, passkeyTime: null };

const LINKED =
  "Linked the account to the provider, which removed the password and second factors, and ended other sessions and one-time links.";

/** @throws AppError not_found */
export function requireProvider({ provider }: Pick<AccountEnv, "provider">): Provider {
  if (provider) return provider;
  throw new AppError("not_found", "Single sign-on is not set up. The operator does that with GATEHOUSE_OIDC_ISSUER.");
}

/**
 * Signs in the provider's user, and creates them as a person if they are new.
 * @param url that the browser returned to
 * @throws AppError not_found, unauthorized, forbidden, unavailable
 */
export async function finishSignIn(url: URL, state: SignInState | undefined, env: AccountEnv): Promise<Begun> {
  const provider = requireProvider(env);
  let identity: Identity | undefined;
  try {
    if (!state) throw late();
    identity = await provider.finish(url, state);
    return await beginAs(identity, provider, env);
  } catch (error) {
    await noteFailedSignIn(error, identity, env);
    throw error;
  }
}

/** @throws AppError forbidden, unavailable, and invalid_request if the setting has a role that does not exist */
async function beginAs(identity: Identity, provider: Provider, env: AccountEnv): Promise<Begun> {
  const { limits } = env;
  const bounded = { ...env, limits: { ...limits, longestMs: Math.min(limits.longestMs, LONGEST_MS) } };
  return writeAccount(env.database, async (db) => {
    const known = await findByIdentity(db, identity.issuer, identity.subject);
    const { person, isLinked } = known ? { person: known, isLinked: false } : await admit(identity, provider);
    if (!person.isActive) throw inactive();
    if (isLinked) await endAccess(db, person);
    if (provider.config.roleClaim !== undefined) await followRoles(db, person, identity, provider.config, env);
    const begun = await begin(db, person, "finishSingleSignOn", bounded, NAMED_BY_PROVIDER);
    if (isLinked) await noteSession(db, begun.session, LINKED, { ...env, operationID: "finishSingleSignOn" });
    return begun;

    /**
     * The person with the address, or a new one. Only an address of an allowed domain that the provider has verified identifies a person.
     * `isLinked` if the person existed, and now has the identity for the first time.
     */
    async function admit(
      { issuer, subject, address, firstName, lastName }: Identity,
      { config }: Provider,
    ): Promise<{ person: Person; isLinked: boolean }> {
      if ("fault" in address) throw withoutAddress(address.fault);
      const { email } = address;
      if (!config.allowedDomains.includes(domainOfEmail(email))) throw ofOtherDomain();
      const made = newPerson({ email, firstName, lastName }, env);
      const { people } = openPersonStores(db, made, "finishSingleSignOn", env);
      const found = await people.findByEmail(email);
      const person = found ?? (await people.create(made));
      const isNew = await linkIdentity(db, issuer, subject, person);
      return { person, isLinked: isNew && found !== undefined };
    }
  });
}

/** Sets the role of the first value in the setting that the person has. If the provider left them out, the person keeps their role. */
async function followRoles(db: Db, person: Person, { roles: values }: Identity, { roles }: OidcConfig, env: AccountEnv): Promise<void> {
  if (values === null) {
    const { requestID } = env.origin;
    return env.log.warn({ requestID, operation: "finishSingleSignOn", person: person.id }, LEFT_OUT);
  }
  const { people } = openPersonStores(db, person, "finishSingleSignOn", env);
  const { members } = openPersonStores(db, person, "finishSingleSignOn", env, DEFAULT_PROJECT);
  const context = { actor: toActor(person), now: env.now };
  await applyRole({ people, members }, person, findRole(roles, values), context).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "invalid_request" ? ofRole(error) : error;
  });
}
