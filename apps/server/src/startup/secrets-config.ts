import type { Setting } from "./oidc-config.ts";

/** In characters. */
const MIN_SECRET_LENGTH = 32;
const MUST = `at least ${MIN_SECRET_LENGTH} characters`;

export type Secrets = {
  /** The secret with which the audit log is sealed. Undefined means that it is not. */
  auditKey: string | undefined;
  /** The secrets with which it was sealed before, newest first. */
  previousAuditKeys: string[];
  /** Encrypts credentials of warehouses, API keys of models and secrets of authenticator apps. If it is undefined, they can't be stored. */
  secretKey: string | undefined;
  /** Decrypts texts of an earlier `secretKey`, until everything is encrypted with the current one. */
  previousSecretKey: string | undefined;
};

export function readSecrets(setting: Setting, faults: string[]): Secrets {
  const secret = (name: string) => setting(name, undefined, (text) => (text.length >= MIN_SECRET_LENGTH ? text : undefined), MUST);
  const secrets = {
    auditKey: secret("GATEHOUSE_AUDIT_KEY"),
    previousAuditKeys: setting("GATEHOUSE_PREVIOUS_AUDIT_KEYS", [], readList, `keys of ${MUST} each, separated by commas, newest first`),
    secretKey: secret("GATEHOUSE_SECRET_KEY"),
    previousSecretKey: secret("GATEHOUSE_PREVIOUS_SECRET_KEY"),
  };
  if (secrets.previousAuditKeys.length > 0 && secrets.auditKey === undefined)
    faults.push("GATEHOUSE_PREVIOUS_AUDIT_KEYS needs GATEHOUSE_AUDIT_KEY");
  if (secrets.previousSecretKey !== undefined && secrets.secretKey === undefined)
    faults.push("GATEHOUSE_PREVIOUS_SECRET_KEY needs GATEHOUSE_SECRET_KEY");
  return secrets;
}

function readList(text: string): string[] | undefined {
  const secrets = text.split(",").map((secret) => secret.trim());
  return secrets.every((secret) => secret.length >= MIN_SECRET_LENGTH) ? secrets : undefined;
}
