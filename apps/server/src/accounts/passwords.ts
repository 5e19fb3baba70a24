import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { AppError } from "../common/errors.ts";

/** argon2id with the least that OWASP's Password Storage Cheat Sheet recommends: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash takes a core for some 20 ms. These run at once, and so many wait; an attack gets no more. */
const MAX_RUNNING = 2;
const MAX_WAITING = 100;

/** The hash of a random text: verifying a password against it takes as long as against a person's. */
const NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$006Zvb5ZbP/ZtH+pZbKzNg$jp0wiNJ1exODaK6aRcyaHNqmnETuKmHuDm0/ivzB1wA";

const running = pLimit(MAX_RUNNING);

/** The hash of a password with its salt and parameters, in the PHC string format. @throws AppError unavailable */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize("NFKC"), PARAMETERS));
}

/** Whether it is the password of the hash. Takes equally long without a hash, and is false. @throws AppError unavailable */
export async function isPassword(password: string, given: string | undefined): Promise<boolean> {
  const isRight = await inTurn(() => verify(given ?? NOBODYS, password.normalize("NFKC")));
  return isRight && given !== undefined;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running.pendingCount >= MAX_WAITING) throw new AppError("unavailable", "Too many people sign in at once. Try again shortly.");
  return running(work);
}
