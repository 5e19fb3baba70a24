import entity from "../../entity/entity.module.css";
import { Chip } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/choice.tsx";

type Props<ID extends string> = {
  /** The label of the field that adds one: "Add a type" */
  label: string;
  /** Shown without a choice. */
  all: string;
  options: readonly { id: ID; label: string }[];
  chosen: readonly ID[];
  onChange: (chosen: ID[]) => void;
  isDisabled: boolean;
};

/** Any number of options. None means all of them. */
export function ChoicesField<ID extends string>({ label, all, options, chosen, onChange, isDisabled }: Props<ID>) {
  return (
    <>
      <div className={entity.row}>
        {chosen.length === 0 && <span className={entity.soft}>{all}</span>}
        {options
          .filter(({ id }) => chosen.includes(id))
          .map(({ id, label: name }) => (
            <span key={id}>
              <Chip>{name}</Chip>
              <Button
                look="quiet"
                isDisabled={isDisabled}
                aria-label={`Remove ${name}`}
                onPress={() => onChange(chosen.filter((one) => one !== id))}
              >
                ×
              </Button>
            </span>
          ))}
      </div>
      <ComboBox
        label={label}
        key={chosen.join()}
        options={options.filter(({ id }) => !chosen.includes(id))}
        value={null}
        onChange={(id) => onChange([...chosen, id as ID])}
        isDisabled={isDisabled}
      />
    </>
  );
}
