// Fields with a label, a description and an error in the same place. `name` ties a field to the server's violations.
import { Check, Minus } from "lucide-react";
import type { FormEvent, ReactNode } from "react";
import {
  Checkbox as AriaCheckbox,
  SearchField as AriaSearchField,
  Switch as AriaSwitch,
  TextField as AriaTextField,
  type CheckboxProps,
  FieldError,
  Input,
  Label,
  type SearchFieldProps,
  type SwitchProps,
  Text,
  TextArea,
  type TextFieldProps,
} from "react-aria-components";
import styles from "./field.module.css";

type Own = {
  label: string;
  /** Read aloud, not shown: where a heading or a column says it already. */
  isLabelHidden?: boolean;
  description?: ReactNode;
  error?: string | undefined;
};

function Frame({ label, isLabelHidden, description, children }: Own & { children: ReactNode }) {
  return (
    <>
      <Label className={isLabelHidden ? styles.hidden : styles.label}>{label}</Label>
      {children}
      {description !== undefined && (
        <Text slot="description" className={styles.description ?? ""}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ""} />
    </>
  );
}

/**
 * Has the library check a field again as soon as its text is valid. By itself it does so when the field is left: the error then vanishes
 * while a button below is pressed, the button moves, and the press is lost.
 */
function recheck({ target }: FormEvent) {
  const input = target as HTMLInputElement;
  if (input.validity.valid && input.getAttribute("aria-invalid") === "true") input.dispatchEvent(new Event("change"));
}

const invalid = (error: string | undefined) => (error === undefined ? {} : { isInvalid: true, validationBehavior: "aria" as const });

type TextProps = Omit<TextFieldProps, "children" | "className"> &
  Own & {
    rows?: number;
    placeholder?: string;
    isCode?: boolean;
    /** The id of a `datalist` with texts that the browser offers in a field of one line. */
    list?: string;
    /** Shown behind a number. */
    unit?: string | undefined;
  };

export function TextField({
  label,
  isLabelHidden,
  description,
  error,
  rows,
  placeholder,
  isCode,
  list,
  unit,
  onInput,
  ...props
}: TextProps) {
  const shared = { className: `${styles.input} ${isCode ? styles.code : ""}`, placeholder };
  // The library ties a description to the input only when it learns that one appeared. Its types leave the property out.
  const described: object = { description };
  return (
    <AriaTextField
      {...props}
      {...described}
      onInput={(event) => {
        recheck(event);
        onInput?.(event);
      }}
      {...invalid(error)}
      className={styles.field ?? ""}
    >
      <Frame {...{ label, isLabelHidden, description, error }}>
        {unit !== undefined ? (
          <span className={styles.withUnit}>
            <Input className={`${styles.input} ${styles.number}`} />
            {unit !== "" && (
              <span className={styles.unit} aria-hidden="true">
                {unit}
              </span>
            )}
          </span>
        ) : rows === undefined ? (
          <Input {...shared} list={list} />
        ) : (
          <TextArea {...shared} rows={rows} />
        )}
        {error !== undefined && <FieldErrorText text={error} />}
      </Frame>
    </AriaTextField>
  );
}

function FieldErrorText({ text }: { text: string }) {
  return (
    <Text slot="errorMessage" className={styles.error ?? ""}>
      {text}
    </Text>
  );
}

export function SearchField({
  label,
  placeholder,
  ...props
}: Omit<SearchFieldProps, "children" | "className"> & { label: string; placeholder?: string }) {
  return (
    <AriaSearchField {...props} aria-label={label} className={styles.search ?? ""}>
      <Input className={styles.input ?? ""} placeholder={placeholder ?? label} />
    </AriaSearchField>
  );
}

export function Checkbox({ children, ...props }: Omit<CheckboxProps, "children" | "className"> & { children?: ReactNode }) {
  return (
    <AriaCheckbox {...props} className={styles.checkbox ?? ""}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            {isIndeterminate ? <Minus /> : isSelected ? <Check /> : null}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}

export function Switch({ children, ...props }: Omit<SwitchProps, "children" | "className"> & { children?: ReactNode }) {
  return (
    <AriaSwitch {...props} className={styles.switch ?? ""}>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.thumb} />
      </span>
      {children}
    </AriaSwitch>
  );
}
