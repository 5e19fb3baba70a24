import { Suspense, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/notice.tsx";
import { onDemand } from "../ui/soon.tsx";
import { useUnread } from "../ui/unread.ts";
import styles from "./entity.module.css";
import { fixErrors, noteErrors } from "./value-checks.ts";

const Json5Editor = onDemand(() => import("../editor/json5-editor.tsx"));
const FormView = onDemand(() => import("../editor/form-view.tsx"));

/** Of the content security policy: the editor marks its styles with it. */
const nonce = (): string | undefined => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce;

type Props = {
  label: string;
  /** Read aloud, not shown: where a heading says it already. */
  isLabelHidden?: boolean;
  /** The text of JSON5. */
  value: string;
  onChange: (value: string) => void;
  schema?: string | object | null;
  rootKind?: "object" | "value";
  isReadOnly: boolean;
  /** Whether the fields of the object can also be edited one by one. */
  hasForm?: boolean;
};

/** A value as JSON5, as a text or as a form. */
export function Json5Field({
  label,
  value,
  onChange,
  schema = null,
  rootKind = "object",
  isReadOnly,
  isLabelHidden,
  hasForm = true,
}: Props) {
  const [isForm, setForm] = useState(false);
  const [errors, setErrors] = useState(0);
  const onFaults = (faults: readonly { severity: string }[]) => {
    const count = faults.filter(({ severity }) => severity === "error").length;
    setErrors(count);
    noteErrors(value, schema, count);
  };
  useUnread(label, isReadOnly ? undefined : fixErrors(errors));
  return (
    <div className={styles.json5}>
      {(hasForm || !isLabelHidden) && (
        <div className={styles.fieldHeader}>
          <span className={styles.label}>{!isLabelHidden && label}</span>
          {hasForm && (
            <Button look="quiet" onPress={() => setForm(!isForm)} aria-label={`As ${isForm ? "text" : "form"}: ${label}`}>
              {isForm ? "As text" : "As form"}
            </Button>
          )}
        </div>
      )}
      <Suspense fallback={<Loading label="Loading editor" />}>
        {isForm ? (
          <FormView
            label={label}
            value={value}
            onChange={onChange}
            schema={schema}
            isReadOnly={isReadOnly}
            onEditText={() => setForm(false)}
            onFaults={onFaults}
          />
        ) : (
          <Json5Editor
            label={label}
            value={value}
            onChange={onChange}
            schema={schema}
            rootKind={rootKind}
            isReadOnly={isReadOnly}
            nonce={nonce()}
            onFaults={onFaults}
          />
        )}
      </Suspense>
    </div>
  );
}
