import { BASE_PATH } from "../base-path.ts";

const KEY = `${BASE_PATH}gatehouse.next`;

/** Keeps the page that a person wants to open in this tab, while they sign in elsewhere: a provider sends them back to the start. */
export function keepNext(address: string | undefined): void {
  if (address === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, address);
}

/** Returns the kept address once. */
export function takeNext(): string | undefined {
  const address = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return address;
}
