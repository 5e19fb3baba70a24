import { type AddressList, compileAddresses } from "../common/address-ranges.ts";
import { forbiddenFrom } from "../common/errors.ts";
import type { ActiveKey } from "./active-key-store.ts";

/** The addresses from which a key can be used. */
export type AllowedAddresses = {
  /** @throws AppError forbidden if the key cannot be used from this address */
  require(address: string): void;
};

const EVERYWHERE: AllowedAddresses = { require() {} };

/** Compiles the list once, at the first request with the key. */
export function allowedAddresses({ allowedAddresses: ranges }: Pick<ActiveKey, "allowedAddresses">): AllowedAddresses {
  if (ranges.length === 0) return EVERYWHERE;
  let list: AddressList | undefined;
  return {
    require(address) {
      list ??= compileAddresses(ranges);
      if (!list.includes(address)) throw forbiddenFrom(address, "The key", "Its allowed addresses do");
    },
  };
}
