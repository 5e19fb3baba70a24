import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { call, invalidate, query, ReviewRequiredError } from "../api.ts";
import { nameFault } from "../entity/entity-id.ts";
import { toOwner } from "../entity/owner.ts";
import { Refusal } from "../entity/refusal.tsx";
import { TeamField, useTeams } from "../entity/team-field.tsx";
import { explain, violationsByPlace } from "../explain.ts";
import { useAccount, useRefusal } from "../session/account.ts";
import type { TeamFields } from "../targeting/team-fields.ts";
import { Button } from "../ui/button.tsx";
import { ComboBox } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import styles from "./start.module.css";

const MAX_OFFERED = 50;
/** The fields that show their own faults. */
const MARKED: ReadonlySet<string> = new Set(["name", "id", "teamID", "team"]);

/** The gate to read: an existing one, or a new one that is on for everyone. */
export function GateStep({ value, onChange }: { value: string | undefined; onChange: (id: string) => void }) {
  const [search, setSearch] = useState("");
  const { data, error } = useQuery({
    ...query("listGates", { query: { limit: MAX_OFFERED, ...(search !== "" && { search }) } }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Loading gates" />;
  const options = data.data.map(({ id, name }) => ({ id, label: name, ...(id !== name && { hint: id }) }));
  const hasGates = options.length > 0 || search !== "" || value !== undefined;
  return (
    <>
      {hasGates && (
        <ComboBox
          // The field also shows a gate that was created here.
          key={options.some(({ id }) => id === value) ? value : ""}
          label="Gate"
          options={options}
          value={options.some(({ id }) => id === value) ? (value ?? null) : null}
          onChange={onChange}
          onSearch={(text) => setSearch(options.some(({ label }) => label === text) ? "" : text.trim().slice(0, 100))}
          placeholder="Choose, or type to search"
        />
      )}
      {value !== undefined && (
        <p>
          Chosen: <code>{value}</code>
        </p>
      )}
      <CreateGate label={hasGates ? "Or enter a name to create a gate" : "Gate name"} onCreated={onChange} />
    </>
  );
}

function CreateGate({ label, onCreated }: { label: string; onCreated: (id: string) => void }) {
  const [name, setName] = useState("");
  const [team, setTeam] = useState<TeamFields>({ teamID: null, team: null });
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const { isRequired } = useTeams();
  const { person } = useAccount();
  const refusal = useRefusal()("create_configs");
  const faults = violationsByPlace(error);
  const send = async () => {
    setPending(true);
    setError(undefined);
    const everyone = { name: "Everyone", passPercentage: 100, conditions: [{ type: "public" as const }] };
    try {
      const body = { name: name.trim(), rules: [everyone], owner: toOwner(person), ...(team.teamID !== null && team) };
      const { data } = await call("createGate", { body });
      await invalidate("listGates", "listChanges");
      setName("");
      onCreated(data.id);
    } catch (thrown) {
      if (thrown instanceof ReviewRequiredError) setName("");
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Refusal error={error} isMarked={(field) => MARKED.has(field)} />
      {isRequired && <TeamField value={team} onChange={setTeam} error={faults.get("teamID") ?? faults.get("team")} />}
      <div className={styles.row}>
        <TextField
          label={label}
          value={name}
          onChange={setName}
          placeholder="New checkout"
          isRequired
          isDisabled={refusal !== undefined}
          error={faults.get("name") ?? faults.get("id") ?? nameFault("gate", name)}
        />
        <Button type="submit" isPending={isPending} disabledReason={refusal}>
          Create gate
        </Button>
      </div>
    </Form>
  );
}
