import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts texts with AES-256-GCM. Each is bound to its owner, such as a project. */
export type Vault = {
  encrypt(owner: string, text: string): string;
  /** The text; undefined if it was encrypted with another secret, or for another owner. */
  decrypt(owner: string, encrypted: string): string | undefined;
  /** Encrypts a text again with the current secret if it was encrypted with the previous one. Undefined for all other texts. */
  renew(owner: string, encrypted: string): string | undefined;
};

/** `GATEHOUSE_SECRET_KEY`, and the one before it, with which texts may still be encrypted. */
export type SecretKeys = { secretKey: string; previousSecretKey?: string | undefined };

/** The kind of texts that are encrypted. Each purpose has its own key. */
type Purpose = "warehouse credentials" | "authenticator apps" | "model keys" | "emails";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with the current secret, and decrypts with either. */
export function createVault({ secretKey, previousSecretKey }: SecretKeys, purpose: Purpose): Vault {
  const current = createCipher(secretKey, purpose);
  const previous = previousSecretKey === undefined ? undefined : createCipher(previousSecretKey, purpose);
  return {
    encrypt: current.encrypt,
    decrypt: (owner, encrypted) => current.decrypt(owner, encrypted) ?? previous?.decrypt(owner, encrypted),
    renew(owner, encrypted) {
      const text = current.decrypt(owner, encrypted) === undefined ? previous?.decrypt(owner, encrypted) : undefined;
      return text === undefined ? undefined : current.encrypt(owner, text);
    },
  };
}

/** @param secret the input for deriving the key (HKDF, RFC 5869, with SHA-256) */
function createCipher(secret: string, purpose: Purpose): Pick<Vault, "encrypt" | "decrypt"> {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `gatehouse ${purpose} 1`, 32));
  return {
    encrypt(owner, text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString("base64url");
    },
    decrypt(owner, encrypted) {
      const bytes = Buffer.from(encrypted, "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
        decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
