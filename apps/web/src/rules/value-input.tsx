import { X } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton, Tag, TagGroup, TagList } from "react-aria-components";
import { GateChoice, SegmentChoice } from "../entity/entity-choice.tsx";
import { useEnvironments } from "../shell/environments.ts";
import { listValues, onlyValue, toNumber, withValue } from "../targeting/condition-draft.ts";
import { conditionInput } from "../targeting/condition-types.ts";
import { extendList } from "../targeting/parse-list.ts";
import type { Condition } from "../targeting/types.ts";
import { Button } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { TextField } from "../ui/field.tsx";
import { NumberField } from "../ui/number-field.tsx";
import styles from "./rules.module.css";

type Props = { condition: Condition; onChange: (condition: Condition) => void; error: string | undefined };

/** The value of a condition, by the comparison of its type and operator. */
export function ValueInput({ condition, onChange, error }: Props) {
  const input = conditionInput(condition);
  const set = (value: Parameters<typeof withValue>[1]) => onChange(withValue(condition, value));
  const only = onlyValue(condition);
  const choice = {
    isLabelHidden: true,
    value: only === undefined ? null : String(only),
    onChange: set,
    onClear: () => set(undefined),
    error,
  };
  switch (input) {
    case "none":
      return <span className={styles.note}>Nothing to compare with</span>;
    case "gate":
      return <GateChoice label="Gate" placeholder="Search gates" {...choice} />;
    case "segment":
    case "segment-list":
      return <SegmentChoice label="Segment" placeholder="Search segments" {...choice} />;
    case "text":
    case "version":
      return (
        <TextField
          label={input === "version" ? "Version" : "Value"}
          isLabelHidden
          value={only === undefined ? "" : String(only)}
          onChange={set}
          placeholder={input === "version" ? "Such as 4.2.0" : ""}
          error={error}
        />
      );
    case "number":
      return <NumberInput value={only} onChange={set} error={error} />;
    case "time":
    case "day":
      return <TimeInput value={only} isDay={input === "day"} onChange={set} error={error} />;
    default:
      return <ListInput condition={condition} input={input} onChange={set} error={error} />;
  }
}

type Single = { value: string | number | undefined; onChange: (value: number | string | undefined) => void; error: string | undefined };

function NumberInput({ value, onChange, error }: Single) {
  const number = typeof value === "string" ? toNumber(value) : value;
  return (
    <NumberField
      label="Number"
      isLabelHidden
      isOptional
      value={number ?? Number.NaN}
      onChange={(given) => onChange(Number.isNaN(given) ? undefined : given)}
      error={error}
    />
  );
}

/** A time in the reader's zone. Rules hold milliseconds since the epoch. */
function TimeInput({ value, isDay, onChange, error }: Single & { isDay: boolean }) {
  const time = typeof value === "number" ? value : value === undefined ? undefined : toNumber(value);
  return (
    <DateField
      label={isDay ? "Day (UTC)" : "Time"}
      isLabelHidden
      isOptional
      hasTime={!isDay}
      value={time === undefined ? "" : isDay ? new Date(time).toISOString().slice(0, 10) : localInput(time)}
      onChange={(text) => {
        const parsed = isDay ? Date.parse(`${text}T00:00:00Z`) : new Date(text).getTime();
        onChange(Number.isNaN(parsed) ? undefined : parsed);
      }}
      error={error}
    />
  );
}

/** A time as `datetime-local` has it. */
export function localInput(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const PLACEHOLDERS: Record<string, string> = {
  list: "Type or paste values, then Enter",
  countries: "Country codes, such as NO, DK",
  environments: "Name of an environment",
  "target-apps": "Name of a target app",
  "experiment-groups": "Name of a group",
};
/** More chips than this would bury the page. The list holds them all the same. */
const MAX_CHIPS = 100;

function ListInput({
  condition,
  input,
  onChange,
  error,
}: {
  condition: Condition;
  input: string;
  onChange: (values: (string | number)[]) => void;
  error: string | undefined;
}) {
  const [text, setText] = useState("");
  const [note, setNote] = useState<string>();
  const environments = useEnvironments();
  const values = listValues(condition);
  const suggestions = input === "environments" ? environments.map(({ name }) => name).filter((name) => !values.includes(name)) : [];
  const add = (given: string) => {
    const { values: extended, added, duplicates } = extendList(values, given);
    onChange(extended);
    setText("");
    setNote(
      added + duplicates < 2 && duplicates === 0
        ? undefined
        : `${added} added${duplicates > 0 ? `, ${duplicates} left out as duplicates` : ""}`,
    );
  };
  return (
    <div className={styles.values}>
      {values.length > 0 && (
        <TagGroup aria-label="Values" selectionMode="none" onRemove={(keys) => onChange(values.filter((_, index) => !keys.has(index)))}>
          <TagList className={styles.chips ?? ""}>
            {values.slice(0, MAX_CHIPS).map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a value is named by its place.
              <Tag key={index} id={index} textValue={String(value)} className={styles.chip ?? ""}>
                <bdi>{String(value)}</bdi>
                <RemoveValue />
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
      {values.length > MAX_CHIPS && <span className={styles.note}>and {values.length - MAX_CHIPS} more</span>}
      <TextField
        label="Add values"
        isLabelHidden
        value={text}
        onChange={setText}
        placeholder={PLACEHOLDERS[input] ?? ""}
        error={error}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text") ?? "";
          if (!/[\n\t,]/.test(pasted)) return;
          event.preventDefault();
          add(pasted);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || text.trim() === "") return;
          event.preventDefault();
          add(text);
        }}
        onBlur={() => text.trim() !== "" && add(text)}
        {...(note !== undefined && { description: note })}
      />
      {suggestions.length > 0 && (
        <div className={styles.chips}>
          {suggestions.map((name) => (
            <SuggestedValue key={name} name={name} onPress={() => add(`"${name.replaceAll('"', '""')}"`)} />
          ))}
        </div>
      )}
    </div>
  );
}

function RemoveValue() {
  return (
    <AriaButton slot="remove" aria-label="Remove">
      <X aria-hidden="true" />
    </AriaButton>
  );
}

function SuggestedValue({ name, onPress }: { name: string; onPress: () => void }) {
  return (
    <Button look="quiet" onPress={onPress}>
      + {name}
    </Button>
  );
}
