// Passkeys of the browser.
import { ConsoleApiError, type Schema, type WritableSchema } from "../api.ts";
import { explain } from "../explain.ts";

export const hasPasskeys = (): boolean => typeof PublicKeyCredential === "function";

/** Asks the browser to sign a challenge with a passkey. @throws DOMException if the person cancels, or no passkey fits */
export async function signChallenge(options: Schema<"PasskeyRequestOptions">): Promise<WritableSchema<"PasskeyAssertion">> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const { clientExtensionResults: _, ...passkey } = await startAuthentication({ optionsJSON: options });
  return passkey;
}

/** Asks the browser to create a passkey. @throws DOMException if the person cancels, or has a passkey on this device already */
export async function registerPasskey(options: Schema<"PasskeyCreationOptions">): Promise<WritableSchema<"PasskeyAttestation">> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { clientExtensionResults: _, ...passkey } = await startRegistration({ optionsJSON: options });
  return passkey;
}

const BROWSER_ERRORS: Record<string, string> = {
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys don't work at this address. Open the console at the server's public URL.",
};

/** Explains in one sentence why a passkey failed. */
export function explainPasskey(error: unknown): string {
  if (error instanceof ConsoleApiError && error.operationId === "finishPasskeySignIn" && error.status === 401)
    return "This passkey doesn't work here. Sign in another way, or try again.";
  if (error instanceof ConsoleApiError && error.status === 400) return "This passkey was not accepted. Try again.";
  if (!(error instanceof Error) || error instanceof ConsoleApiError || error instanceof TypeError) return explain(error);
  return BROWSER_ERRORS[error.name] ?? "No passkey was used. Try again.";
}
