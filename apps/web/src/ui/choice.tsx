// One of several: a select for few, a combobox with search for many.
import { Check, ChevronDown } from "lucide-react";
import { type ReactNode, use, useState } from "react";
import {
  ComboBox as AriaComboBox,
  Select as AriaSelect,
  Button,
  ComboBoxStateContext,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  SelectValue,
  Text,
} from "react-aria-components";
import styles from "./choice.module.css";
import field from "./field.module.css";
import { ListPopover } from "./list-popover.tsx";

export type Option = { id: string; label: string /** Smaller, behind the label. */; hint?: string };

type Own = {
  label: string;
  isLabelHidden?: boolean;
  options: readonly Option[];
  value: string | null;
  onChange: (id: string) => void;
  placeholder?: string;
  isDisabled?: boolean;
  error?: string | undefined;
  description?: ReactNode | undefined;
};

function Options({ options, empty = "No matches" }: { options: readonly Option[]; empty?: string }) {
  return (
    <ListBox
      className={styles.list ?? ""}
      items={options}
      renderEmptyState={() => <p className={styles.empty}>{empty}</p>}
      // With it, the end of the press that opened the list chooses the option under the pointer, even after the page has moved.
      shouldFocusOnHover={false}
    >
      {({ id, label, hint }: Option) => (
        <ListBoxItem id={id} textValue={label} className={styles.option ?? ""}>
          {({ isSelected }) => (
            <>
              <bdi>{label}</bdi>
              {hint !== undefined && <span className={styles.hint}>{hint}</span>}
              {isSelected && <Check aria-hidden="true" />}
            </>
          )}
        </ListBoxItem>
      )}
    </ListBox>
  );
}

const invalid = (error: string | undefined) => (error === undefined ? {} : { isInvalid: true, validationBehavior: "aria" as const });

export function Select({ label, isLabelHidden, options, value, onChange, placeholder, error, description, isDisabled = false }: Own) {
  return (
    <AriaSelect
      className={field.field ?? ""}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isDisabled={isDisabled}
      placeholder={placeholder ?? "Choose"}
      // Options that are still loading appear in the open list. Without it, a press before they have loaded has no effect.
      allowsEmptyCollection
      {...invalid(error)}
    >
      <Label className={isLabelHidden ? field.hidden : field.label}>{label}</Label>
      <Button className={styles.trigger ?? ""}>
        <SelectValue className={styles.value ?? ""} />
        <ChevronDown aria-hidden="true" />
      </Button>
      {description !== undefined && (
        <Text slot="description" className={field.description ?? ""}>
          {description}
        </Text>
      )}
      {error !== undefined && <FieldError className={field.error ?? ""}>{error}</FieldError>}
      <ListPopover>
        <Options options={options} empty="No options yet" />
      </ListPopover>
    </AriaSelect>
  );
}

type ComboProps = Own & {
  /** Called with the typed text, when the options come from a search. */
  onSearch?: (text: string) => void;
  /** The option that is offered for a typed text, if any, unless another one has it as its label. Its own label contains the text. */
  optionFor?: (text: string) => Option | undefined;
  /** A value that is in no option may be typed. An emptied text is the value "", as in a text field. */
  allowsOther?: boolean;
  /** Clears the value when the text is emptied. Without it and without `allowsOther`, the last value comes back when the field is left. */
  onClear?: (() => void) | undefined;
  isRequired?: boolean;
};

export function ComboBox({
  label,
  isLabelHidden,
  options: given,
  value,
  onChange,
  onSearch,
  optionFor,
  allowsOther = false,
  onClear,
  placeholder,
  error,
  description,
  isDisabled = false,
  isRequired = false,
}: ComboProps) {
  // The typed text counts as long as the value is the one that it set: the value may also change by itself.
  const [typed, setTyped] = useState<{ text: string; gave: string | null }>();
  const options = optionFor ? withTyped(given, typed?.text ?? "", optionFor) : given;
  const chosen = options.find(({ id }) => id === value);
  const text = typed !== undefined && typed.gave === value ? typed.text : (chosen?.label ?? value ?? "");
  return (
    <AriaComboBox
      className={field.field ?? ""}
      {...(onSearch ? { items: options } : { defaultItems: options })}
      // The library empties the field for a value that is in no option.
      value={allowsOther && chosen === undefined ? null : value}
      {...(allowsOther && { inputValue: text })}
      // The library passes null when the text is emptied, and when a typed value replaces a chosen one.
      onChange={(key) => {
        if (key !== null) onChange(String(key));
        else if (!allowsOther) onClear?.();
      }}
      onInputChange={(now) => {
        const gives = options.find((one) => one.label === now)?.id ?? now;
        setTyped({ text: now, gave: gives });
        onSearch?.(now);
        if (allowsOther) onChange(gives);
      }}
      allowsCustomValue={allowsOther}
      allowsEmptyCollection
      menuTrigger="input"
      isDisabled={isDisabled}
      isRequired={isRequired}
      {...invalid(error)}
    >
      <Label className={isLabelHidden ? field.hidden : field.label}>{label}</Label>
      <span className={styles.combo}>
        <ComboInput placeholder={placeholder} />
        <Button className={styles.comboButton ?? ""}>
          <ChevronDown aria-hidden="true" />
        </Button>
      </span>
      {description !== undefined && (
        <Text slot="description" className={field.description ?? ""}>
          {description}
        </Text>
      )}
      {(error !== undefined || isRequired) && <FieldError className={field.error ?? ""}>{error}</FieldError>}
      <ListPopover>
        <Options options={options} />
      </ListPopover>
    </AriaComboBox>
  );
}

/** The text of a combobox. A click on it opens the list with all options, as the button beside it does. */
function ComboInput({ placeholder = "" }: { placeholder: string | undefined }) {
  const state = use(ComboBoxStateContext);
  return (
    <Input
      className={field.input ?? ""}
      placeholder={placeholder}
      onClick={() => state !== null && !state.isOpen && state.open(null, "manual")}
    />
  );
}

function withTyped(options: readonly Option[], typed: string, optionFor: (text: string) => Option | undefined): readonly Option[] {
  const text = typed.trim().toLowerCase();
  const own = text === "" || options.some(({ label }) => label.toLowerCase() === text) ? undefined : optionFor(typed);
  return own ? [...options, own] : options;
}
