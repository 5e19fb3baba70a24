import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts texts of projects with AES-256-GCM. Each is bound to its project. */
export type Vault = {
  encrypt(projectID: string, text: string): string;
  /** The text; undefined if it was encrypted with another secret, or for another project. */
  decrypt(projectID: string, encrypted: string): string | undefined;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** @param secret `GATEHOUSE_SECRET_KEY`, from which the key is derived (HKDF, RFC 5869, with SHA-256) */
export function createVault(secret: string): Vault {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "gatehouse warehouse credentials 1", 32));
  return {
    encrypt(projectID, text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(projectID));
      const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString("base64url");
    },
    decrypt(projectID, encrypted) {
      const bytes = Buffer.from(encrypted, "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
        decipher.setAAD(Buffer.from(projectID)).setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
