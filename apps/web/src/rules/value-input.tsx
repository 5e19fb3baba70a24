import { X } from "lucide-react";
import { useRef, useState } from "react";
import { Button as AriaButton, Tag, TagGroup, TagList } from "react-aria-components";
import { GateChoice, SegmentChoice } from "../entity/entity-choice.tsx";
import { useEnvironments } from "../shell/environments.ts";
import { type SeenAttribute, suggestedValues, toCountryCode } from "../targeting/attributes.ts";
import { countryLabel } from "../targeting/choices.ts";
import { listValues, onlyValue, toNumber, withValue } from "../targeting/condition-draft.ts";
import { conditionInput } from "../targeting/condition-types.ts";
import { extendList } from "../targeting/parse-list.ts";
import type { Condition } from "../targeting/types.ts";
import { Button } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { TextField } from "../ui/field.tsx";
import { localInput } from "../ui/field-time.ts";
import { utcDay } from "../ui/iso-time.ts";
import { NumberField } from "../ui/number-field.tsx";
import styles from "./rules.module.css";

type Props = {
  condition: Condition;
  /** The attribute that it tests, if the project knows it. */
  attribute: SeenAttribute | undefined;
  onChange: (condition: Condition) => void;
  error: string | undefined;
};

/** The value of a condition, by the comparison of its type and operator. */
export function ValueInput({ condition, attribute, onChange, error }: Props) {
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
      return <span className={styles.note}>{condition.type === "public" ? "Matches all users" : "No value needed"}</span>;
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
      return <ListInput condition={condition} attribute={attribute} input={input} onChange={set} error={error} />;
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
      value={time === undefined ? "" : isDay ? utcDay(time) : localInput(time)}
      onChange={(text) => {
        const parsed = isDay ? Date.parse(`${text}T00:00:00Z`) : new Date(text).getTime();
        onChange(Number.isNaN(parsed) ? undefined : parsed);
      }}
      error={error}
    />
  );
}

const PLACEHOLDERS: Record<string, string> = {
  list: "Type or paste values, then Enter",
  countries: "Countries, such as Norway",
  environments: "Name of an environment",
  "target-apps": "Name of a target app",
  "experiment-groups": "Name of a group",
};
const ADDRESSES = "Addresses or ranges, such as 10.0.0.0/8";
/** More chips than this would bury the page. The list holds them all the same. */
const MAX_CHIPS = 100;

function ListInput({
  condition,
  attribute,
  input,
  onChange,
  error,
}: {
  condition: Condition;
  attribute: SeenAttribute | undefined;
  input: string;
  onChange: (values: (string | number)[]) => void;
  error: string | undefined;
}) {
  const [text, setText] = useState("");
  const [note, setNote] = useState<string>();
  const environments = useEnvironments();
  const values = listValues(condition);
  const suggestions =
    input === "environments"
      ? environments.flatMap(({ name }) => (values.includes(name) ? [] : [{ value: name, label: name }]))
      : suggestedValues(condition, text, attribute);
  const area = useRef<HTMLDivElement>(null);
  const toLabel = (value: string | number) => (input === "countries" ? countryLabel(String(value)) : String(value));
  const add = (given: string) => {
    const { values: extended, added, duplicates } = extendList(values, given, input === "countries" ? toCountryCode : undefined);
    onChange(extended);
    setText("");
    setNote(
      added + duplicates < 2 && duplicates === 0
        ? undefined
        : `${added} added${duplicates > 0 ? `, ${duplicates} left out as duplicates` : ""}`,
    );
  };
  return (
    <div className={styles.values} ref={area}>
      {values.length > 0 && (
        <TagGroup aria-label="Values" selectionMode="none" onRemove={(keys) => onChange(values.filter((_, index) => !keys.has(index)))}>
          <TagList className={styles.chips ?? ""}>
            {values.slice(0, MAX_CHIPS).map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a value is named by its place.
              <Tag key={index} id={index} textValue={toLabel(value)} className={styles.chip ?? ""}>
                <bdi>{toLabel(value)}</bdi>
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
        placeholder={condition.type === "ip_address" && condition.operator === "any" ? ADDRESSES : (PLACEHOLDERS[input] ?? "")}
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
        // A press on a suggestion replaces the text that found it.
        onBlur={({ relatedTarget }) => text.trim() !== "" && !area.current?.contains(relatedTarget) && add(text)}
        {...(note !== undefined && { description: note })}
      />
      {suggestions.length > 0 && (
        <div className={styles.chips}>
          {suggestions.map(({ value, label }) => (
            <SuggestedValue key={value} name={label} onPress={() => add(`"${value.replaceAll('"', '""')}"`)} />
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
