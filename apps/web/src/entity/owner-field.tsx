import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { useAccount } from "../session/account.ts";
import { membersRequest } from "../session/members.ts";
import { personName } from "../session/names.ts";
import { type Owner, ownerText } from "../targeting/owner-fields.ts";
import { ComboBox, type Option, Select } from "../ui/choice.tsx";
import { toOwner } from "./owner.ts";

const ANYONE = "anyone";
const UNLISTED = "unlisted";

/** The members of the project, by name. */
function useMembers() {
  const { data, isPending } = useQuery(query("listUsers", membersRequest));
  return { members: (data?.data ?? []).toSorted((a, b) => personName(a).localeCompare(personName(b))), isPending };
}

/** Whether the project's settings require an owner. */
function useRequirement() {
  const { data, isPending } = useQuery(query("getSettings"));
  return { isRequired: data?.data.require_owners_on_configs === true, isPending };
}

type Props = {
  value: Owner;
  onChange: (fields: { owner: Owner }) => void;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** The person who owns an entity. It can't be emptied in projects that require an owner. */
export function OwnerField({ value, onChange, error, isDisabled = false }: Props) {
  const { isRequired, isPending: isRequirementPending } = useRequirement();
  const { members, isPending: areMembersPending } = useMembers();
  const isListed = members.some(({ id }) => id === value?.ownerID);
  const options: Option[] = [
    ...members.map((member) => ({ id: `=${member.id}`, label: personName(member), hint: member.email })),
    // A person who left the project, or an owner that another system wrote.
    ...(value !== null && !isListed ? [{ id: UNLISTED, label: ownerText(value) || "Unknown" }] : []),
  ];
  const choose = (option: string) => {
    const member = members.find(({ id }) => `=${id}` === option);
    if (member !== undefined) onChange({ owner: toOwner(member) });
  };
  return (
    <ComboBox
      // The library describes a field only if it has a description from the start.
      key={String(isRequired)}
      label="Owner"
      options={options}
      value={value === null ? null : isListed ? `=${value.ownerID}` : UNLISTED}
      onChange={choose}
      onClear={isRequired ? undefined : () => onChange({ owner: null })}
      placeholder={isRequired ? "Choose an owner" : "No owner"}
      description={isRequired ? "Required in this project." : undefined}
      isRequired={isRequired}
      error={error}
      // What is typed would be lost once they are there.
      isDisabled={isDisabled || isRequirementPending || areMembersPending}
    />
  );
}

/** Lists the entities of one owner, the reader's first. */
export function OwnerFilter({ value, onChange }: { value: string | undefined; onChange: (id: string | undefined) => void }) {
  const { person } = useAccount();
  const others = useMembers().members.filter(({ id }) => id !== person.id);
  const isUnlisted = value !== undefined && value !== person.id && others.every(({ id }) => id !== value);
  return (
    <Select
      label="Owner"
      isLabelHidden
      options={[
        { id: ANYONE, label: "Any owner" },
        { id: `=${person.id}`, label: "Mine" },
        ...others.map((member) => ({ id: `=${member.id}`, label: personName(member) })),
        ...(isUnlisted ? [{ id: `=${value}`, label: value }] : []),
      ]}
      value={value === undefined ? ANYONE : `=${value}`}
      onChange={(id) => onChange(id === ANYONE ? undefined : id.slice(1))}
    />
  );
}
