import { useState } from "react";
import { TextField } from "../../ui/field.tsx";
import { readLines } from "./address-lines.ts";

const ROWS = 3;

type Props = {
  value: string[];
  onChange: (addresses: string[]) => void;
  isDisabled: boolean;
  faultAt: (name: string) => string | undefined;
};

/** The addresses that a key can be used from, one per line. */
export function AddressesField({ value, onChange, isDisabled, faultAt }: Props) {
  const [text, setText] = useState(value.join("\n"));
  // Blank lines stay while the user types. A different value comes from outside.
  const shown = readLines(text).join() === value.join() ? text : value.join("\n");
  const faults = value.map((address, index) => [address, faultAt(`allowedAddresses[${index}]`)] as const);
  const [address, fault] = faults.find(([, found]) => found !== undefined) ?? [];
  return (
    <TextField
      label="Allowed addresses"
      description="IP addresses and ranges such as 10.0.0.0/8, one per line. Leave empty to allow all addresses."
      value={shown}
      onChange={(given) => {
        setText(given);
        onChange(readLines(given));
      }}
      rows={ROWS}
      isCode
      isDisabled={isDisabled}
      error={fault === undefined ? faultAt("allowedAddresses") : `${address}: ${fault}`}
    />
  );
}
