import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BatchRequest, query } from "../api.ts";
import { Review } from "../saving/review.tsx";
import { EntityLink } from "../shell/entity-link.tsx";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Section } from "../shell/page.tsx";
import { describeChanges } from "../targeting/changes.ts";
import { environmentsInWords } from "../targeting/environments-touched.ts";
import { parseList } from "../targeting/parse-list.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import { Empty } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./entity.module.css";
import { GateChoice, SegmentChoice } from "./entity-choice.tsx";

/** The audience that an override puts into a group. */
type Who = { kind: "ids"; ids: string[]; unit: string } | { kind: "gate" | "segment"; id: string };

type GroupOverride = {
  who: Who;
  /** The group in words. */
  group: string;
  /** Null means every environment. */
  environment: string | null;
  remove: BatchRequest;
};

export type NewOverride = { who: Who; group: string; environment: string | null };

type Props = {
  /** Name of the entity with the overrides. */
  name: string;
  idType: string;
  rows: readonly GroupOverride[];
  /** The groups to choose from. */
  groups: readonly { id: string; label: string }[];
  add: (override: NewOverride) => BatchRequest;
  /** Whether gates and segments can count in one environment alone. */
  hasPlaceOfConditions: boolean;
  disabledReason: string | undefined;
  /** Reads the overrides again: they changed. */
  onReadAgain: () => Promise<unknown>;
};

const EVERYWHERE = "everywhere";
const KINDS = [
  { id: "ids", label: "These IDs" },
  { id: "gate", label: "Users who pass a gate" },
  { id: "segment", label: "Users in a segment" },
] as const;
type Kind = (typeof KINDS)[number]["id"];

/** Units that get a group regardless of the allocation. Each change is reviewed before it counts. */
export function GroupOverrides(props: Props) {
  const { name, rows, disabledReason, onReadAgain } = props;
  const [write, setWrite] = useState<{ title: string; request: BatchRequest; done: string }>();
  const all = useEnvironmentNames();
  return (
    <Section
      title="Overrides"
      description="Force a group for specific users. Overrides beat allocation and targeting, and aren’t counted as exposures."
    >
      {disabledReason === undefined && (
        <Adder {...props} onAdd={(request) => setWrite({ title: "Add override", request, done: "added" })} />
      )}
      {rows.length === 0 ? (
        <Empty title="No overrides">Every user gets their group by allocation.</Empty>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table} aria-label="Overrides">
            <thead>
              <tr>
                <th scope="col">Who</th>
                <th scope="col">Gets</th>
                <th scope="col">Environment</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an override has no identity.
                <tr key={index}>
                  <td>
                    <TargetedUsers who={row.who} />
                  </td>
                  <td>
                    <bdi>{row.group}</bdi>
                  </td>
                  <td>
                    <bdi>{row.environment ?? "All environments"}</bdi>
                  </td>
                  <td>
                    <Button
                      look="quiet"
                      disabledReason={disabledReason}
                      onPress={() => setWrite({ title: "Remove override", request: row.remove, done: "removed" })}
                    >
                      Remove
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {write && (
        <Review
          title={`${write.title} of ${name}?`}
          saveLabel={write.title}
          write={[write.request]}
          inWords={(changes) => describeChanges(changes, [])}
          environments={environmentsInWords(all, all)}
          onClose={() => setWrite(undefined)}
          onConflict={() => {
            setWrite(undefined);
            void onReadAgain();
          }}
          onSaved={() => {
            setWrite(undefined);
            void onReadAgain().then(() => toast({ text: `Override ${write.done}` }));
          }}
        />
      )}
    </Section>
  );
}

const MAX_IDS = 10;

function TargetedUsers({ who }: { who: Who }) {
  if (who.kind === "ids") {
    const more = who.ids.length - MAX_IDS;
    return (
      <>
        {who.unit} <bdi>{who.ids.slice(0, MAX_IDS).join(", ")}</bdi>
        {more > 0 && ` and ${more} more`}
      </>
    );
  }
  return (
    <>
      {who.kind === "gate" ? "passes gate " : "in segment "}
      <EntityLink type={who.kind} id={who.id} name={who.id} />
    </>
  );
}

function Adder({ idType, groups, add, hasPlaceOfConditions, onAdd }: Props & { onAdd: (request: BatchRequest) => void }) {
  const environments = useEnvironmentNames();
  const { data: units } = useQuery(query("listUnitIDTypes", { query: { limit: 1000 } }));
  const [kind, setKind] = useState<Kind>("ids");
  const [group, setGroup] = useState(groups[0]?.id ?? null);
  const [environment, setEnvironment] = useState(EVERYWHERE);
  const [unit, setUnit] = useState(idType);
  const [text, setText] = useState("");
  const [id, setID] = useState<string | null>(null);
  const { values } = parseList(text);
  const reason = missing(kind, group, values, id);
  const press = () => {
    if (group === null) return;
    const who: Who = kind === "ids" ? { kind, ids: values, unit } : { kind, id: id ?? "" };
    onAdd(add({ who, group, environment: environment === EVERYWHERE ? null : environment }));
  };
  return (
    <div className={styles.card}>
      <div className={styles.row}>
        <Select label="Who" options={KINDS} value={kind} onChange={(chosen) => setKind(chosen as Kind)} />
        <Select label="Gets the group" options={groups} value={group} onChange={setGroup} />
        {(kind === "ids" || hasPlaceOfConditions) && (
          <Select
            label="Environment"
            options={[{ id: EVERYWHERE, label: "All environments" }, ...environments.map((one) => ({ id: one, label: one }))]}
            value={environment}
            onChange={setEnvironment}
          />
        )}
        {kind === "ids" && (
          <Select
            label="Unit ID type"
            options={[...new Set([idType, "userID", ...(units?.data ?? []).map(({ name }) => name)])].map((one) => ({
              id: one,
              label: one,
            }))}
            value={unit}
            onChange={setUnit}
          />
        )}
      </div>
      {kind === "ids" && (
        <TextField label="IDs" rows={3} value={text} onChange={setText} description="Separate IDs with line breaks, commas, or tabs." />
      )}
      {kind === "gate" && <GateChoice label="Gate" placeholder="Search gates" value={id} onChange={setID} onClear={() => setID(null)} />}
      {kind === "segment" && (
        <SegmentChoice label="Segment" placeholder="Search segments" value={id} onChange={setID} onClear={() => setID(null)} />
      )}
      <div className={styles.row}>
        <Button onPress={press} disabledReason={reason}>
          Add override
        </Button>
      </div>
    </div>
  );
}

function missing(kind: Kind, group: string | null, ids: readonly string[], id: string | null): string | undefined {
  if (group === null) return "Add a group first.";
  if (kind === "ids") return ids.length === 0 ? "Enter at least one ID." : undefined;
  return id === null ? `Choose a ${kind} first.` : undefined;
}
