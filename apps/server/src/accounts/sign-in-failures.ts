import { AppError, restated, unauthorized } from "../common/errors.ts";
import type { AddressFault } from "./identity.ts";

// The failures of a sign-in with a provider: the texts for callers of the API, and the advice for an administrator on a person's page.

export const WRONG_CLIENT =
  "The provider rejects the credentials of this server. Compare GATEHOUSE_OIDC_CLIENT_ID and GATEHOUSE_OIDC_CLIENT_SECRET with those that the provider has.";
const REFUSED = "The provider's reason is in the server's log, under the request ID below.";
const LATE =
  "If this happens every time, GATEHOUSE_PUBLIC_URL is not the address at which browsers reach this server, or the browser accepts no cookies.";
const AWAY =
  "Check that this server can reach GATEHOUSE_OIDC_ISSUER, and that the provider's metadata names the same issuer. The cause is in the server's log, under the request ID below.";
const UNKNOWN_ROLE = "GATEHOUSE_OIDC_ROLES has a role that the project default does not have. Create the role, or correct the setting.";

type Refusal = { message: string; advice: string };

const ADDRESS_FAULTS: Record<AddressFault, Refusal> = {
  missing: {
    message: "The provider did not send your email address. Ask an administrator of the provider.",
    advice:
      "The provider sent no email address. Add one to the person's account there, and let the provider include the claim email. GATEHOUSE_OIDC_SCOPES must contain the scope that adds it.",
  },
  invalid: {
    message: "The provider sent an email address that this server does not accept. Ask an administrator of the provider.",
    advice: "An address has at most 254 characters, all of them ASCII, and one @. Correct the person's address at the provider.",
  },
  unverified: {
    message: "The provider has not verified your email address. Ask an administrator of the provider.",
    advice: "The provider says that the address is not verified. Verify it there.",
  },
  unstated: {
    message: "The provider does not say that it has verified your email address. Ask an administrator of this server.",
    advice:
      "The provider does not say whether it has verified the address. Let it send the claim email_verified. If only your organization's administrators can set addresses there, read about GATEHOUSE_OIDC_TRUST_EMAILS_FROM in the documentation.",
  },
};

export function refused(cause: unknown, advice = REFUSED): AppError {
  const message = "The provider did not sign you in, or this sign-in was used before. Sign in again.";
  return new AppError("unauthorized", message, undefined, { cause, advice });
}

export function late(): AppError {
  return withAdvice(unauthorized("This sign-in was not begun in this browser, or too long ago. Sign in again."), LATE);
}

export function away(cause: unknown): AppError {
  const message = "The provider cannot be reached. Try again shortly.";
  return new AppError("unavailable", message, undefined, { cause, advice: AWAY });
}

export function withoutAddress(fault: AddressFault): AppError {
  const { message, advice } = ADDRESS_FAULTS[fault];
  return new AppError("forbidden", message, undefined, { advice });
}

export function ofOtherDomain(): AppError {
  const advice = "GATEHOUSE_OIDC_ALLOWED_DOMAINS does not list the domain of this person's address.";
  const message = "Your email address is not in a domain that may sign in. Ask an administrator of this server.";
  return new AppError("forbidden", message, undefined, { advice });
}

export function inactive(): AppError {
  const advice = "The account is deactivated. A server administrator can activate it on the page People.";
  return new AppError("forbidden", "Your account is deactivated. Ask an administrator of this server.", undefined, { advice });
}

/** @param error of a role that a person was to have */
export function ofRole(error: AppError): AppError {
  return withAdvice(error, UNKNOWN_ROLE);
}

function withAdvice(error: AppError, advice: string): AppError {
  return restated(error, { violations: error.violations, advice });
}
