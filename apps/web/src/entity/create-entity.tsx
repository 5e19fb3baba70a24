import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { query, ReviewRequiredError } from "../api.ts";
import { violationsByPlace } from "../explain.ts";
import { useAccount } from "../session/account.ts";
import type { Owner } from "../targeting/owner-fields.ts";
import type { TeamFields } from "../targeting/team-fields.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { useUnreadReason } from "../ui/unread.ts";
import { nameFault, previewID } from "./entity-id.ts";
import { toOwner } from "./owner.ts";
import { OwnerField } from "./owner-field.tsx";
import { Refusal } from "./refusal.tsx";
import { TeamField } from "./team-field.tsx";

/** Shorter names are refused, so no ID is shown for them. */
const MIN_NAME = 3;
const FORM = "create-entity";
/** Fields whose faults concern the name. */
const NAME_FIELDS = ["name", "id", "source_name"];

/** What the unit ID type decides, by noun. Other kinds split units among groups. */
const UNIT_HINTS: Readonly<Record<string, string>> = {
  gate: "Roll out by user, device, or company.",
  "dynamic config": "Roll out by user, device, or company.",
  segment: "The IDs identify users, devices, or companies.",
};

export type NewEntity = {
  id?: string;
  name: string;
  description: string;
  idType?: string;
  teamID?: string;
  team?: string;
  owner?: NonNullable<Owner>;
};

type Props = {
  /** The created entity's noun: gate. */
  noun: string;
  isOpen: boolean;
  onClose: () => void;
  /** Creates it, and leads to its page. */
  create: (entity: NewEntity) => Promise<unknown>;
  /** How code names it. Without it, the ID that follows from the name. */
  nameHint?: ReactNode;
  /** Whether it divides units, of a type that is chosen here. */
  hasIDType?: boolean;
  hasDescription?: boolean;
  /** Whether a team can own it. */
  hasTeam?: boolean;
  /** Whether a person can own it: the reader, unless they choose someone else. */
  hasOwner?: boolean;
  /** Further fields. They get the server's refusals by field. */
  fields?: (faultAt: (field: string) => string | undefined) => ReactNode;
  /** Initial settings of the entity. */
  children?: ReactNode;
};

/** The ID of the new entity, as soon as its name is long enough. */
function IDHint({ id }: { id: ReturnType<typeof previewID> | undefined }) {
  if (id === undefined) return "The ID is created from the name and can’t be changed later.";
  if (typeof id === "object")
    return id.isRandom ? "It gets a random ID." : "The name has too few letters (a to z) and digits for an ID. Enter one below.";
  return (
    <>
      ID: <code>{id}</code>. It can’t be changed later.
    </>
  );
}

/** Asks for the required fields of a new entity. All else is edited on its page. */
export function CreateEntity(props: Props) {
  // Closing it discards the typed text.
  return props.isOpen ? <CreateDialog {...props} /> : null;
}

function CreateDialog({
  noun,
  isOpen,
  onClose,
  create,
  nameHint,
  hasIDType = false,
  hasDescription = true,
  hasTeam = false,
  hasOwner = false,
  fields,
  children,
}: Props) {
  const [name, setName] = useState("");
  const [typedID, setTypedID] = useState("");
  const [description, setDescription] = useState("");
  const [idType, setIDType] = useState<string | null>(null);
  const [team, setTeam] = useState<TeamFields>({ teamID: null, team: null });
  const { person } = useAccount();
  const [owner, setOwner] = useState<Owner>(toOwner(person));
  const [error, setError] = useState<unknown>();
  const [sentName, setSentName] = useState("");
  const [isPending, setPending] = useState(false);
  const { data: unitIDTypes } = useQuery({ ...query("listUnitIDTypes", { query: { limit: 1000 } }), enabled: hasIDType });
  const faults = violationsByPlace(error);
  const illegible = nameHint === undefined ? nameFault(noun, name) : undefined;
  const isLong = illegible === undefined && name.trim().length >= MIN_NAME;
  const previewed = nameHint === undefined && isLong ? previewID(noun, name.trim()) : undefined;
  const needsID = typeof previewed === "object" && !previewed.isRandom;
  const unread = useUnreadReason();
  const named = JSON.stringify([name, typedID]);
  const send = async () => {
    setPending(true);
    setError(undefined);
    setSentName(named);
    try {
      await create({
        name: name.trim(),
        ...(needsID && { id: typedID.trim() }),
        description,
        ...(idType !== null && { idType }),
        ...givenTeam(team),
        ...(hasOwner && owner !== null && { owner }),
      });
      onClose();
    } catch (thrown) {
      // The review has what was typed.
      if (thrown instanceof ReviewRequiredError) return onClose();
      setError(thrown);
      setPending(false);
    }
  };
  const isRenamed = named !== sentName;
  const isAboutName = faults.size > 0 && [...faults.keys()].every((field) => NAME_FIELDS.includes(field));
  const marked = new Set<string>();
  const faultAt = (...fields: string[]) => {
    for (const field of fields) marked.add(field);
    // The server has not seen a new name yet.
    const shown = fields.filter((field) => !isRenamed || !NAME_FIELDS.includes(field));
    return shown.map((field) => faults.get(field)).find((fault) => fault !== undefined);
  };
  const further = fields?.(faultAt);
  const parts = (
    <>
      <TextField
        label="Name"
        name="name"
        autoFocus
        isRequired
        value={name}
        onChange={setName}
        description={nameHint ?? <IDHint id={previewed} />}
        error={faultAt(...NAME_FIELDS.filter((field) => field !== "id" || !needsID)) ?? illegible}
      />
      {needsID && (
        <TextField
          label="ID"
          isCode
          isRequired
          value={typedID}
          onChange={setTypedID}
          description="Letters from a to z, digits, underscores, and hyphens. It can’t be changed later."
          error={faultAt("id")}
        />
      )}
      {hasDescription && (
        <TextField label="Description" value={description} onChange={setDescription} rows={3} error={faultAt("description")} />
      )}
      {hasIDType && (
        <Select
          label="Unit ID type"
          options={(unitIDTypes?.data ?? []).map((one) => ({ id: one.name, label: one.name }))}
          value={idType}
          onChange={setIDType}
          placeholder="Project default"
          description={UNIT_HINTS[noun] ?? "Split by user, device, or company."}
          error={faultAt("idType")}
        />
      )}
      {hasTeam && <TeamField value={team} onChange={setTeam} error={faultAt("teamID", "team")} />}
      {hasOwner && <OwnerField value={owner} onChange={(chosen) => setOwner(chosen.owner)} error={faultAt("owner")} />}
      {further}
    </>
  );
  return (
    <Dialog
      title={`Create ${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={FORM} isPending={isPending} disabledReason={unread}>
            Create
          </Button>
        </>
      }
    >
      <Form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        className="stack"
      >
        {parts}
        <Refusal error={isRenamed && isAboutName ? undefined : error} isMarked={(field) => marked.has(field)} />
        {children !== undefined && <p>{children}</p>}
      </Form>
    </Dialog>
  );
}

const givenTeam = ({ teamID, team }: TeamFields) => (teamID === null || team === null ? {} : { teamID, team });
