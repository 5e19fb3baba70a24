import { type AddressList, compileAddresses } from "../common/address-ranges.ts";
import { type AppError, forbiddenFrom } from "../common/errors.ts";
import type { ActiveKey } from "./active-key-store.ts";

/** The addresses that a key can be used from. */
export type AllowedAddresses = {
  /** @throws AppError forbidden if the key cannot be used from this address */
  require(address: string): void;
};

/** Called for each request that a key's list refuses. */
export type OnForeignAddress = (key: Pick<ActiveKey, "projectID" | "id">, address: string, error: AppError) => void;

const EVERYWHERE: AllowedAddresses = { require() {} };

/** Compiles the list once, at the first request with the key. */
export function allowedAddresses(
  key: Pick<ActiveKey, "projectID" | "id" | "allowedAddresses">,
  onForeign: OnForeignAddress = () => {},
): AllowedAddresses {
  const ranges = key.allowedAddresses;
  if (ranges.length === 0) return EVERYWHERE;
  let list: AddressList | undefined;
  return {
    require(address) {
      list ??= compileAddresses(ranges);
      if (list.includes(address)) return;
      const error = forbiddenFrom(address, "The key", "Its allowed addresses do");
      onForeign(key, address, error);
      throw error;
    },
  };
}
