import { X } from "lucide-react";
import type { ReactNode } from "react";
import entity from "../../entity/entity.module.css";
import { EntityLink } from "../../shell/entity-link.tsx";
import { IconButton } from "../../ui/button.tsx";

type Props = {
  label: string;
  type: "gate" | "experiment" | "layer";
  ids: readonly string[];
  onChange: (ids: string[]) => void;
  disabledReason: string | undefined;
  /** Chooses one more. */
  choice: (add: (id: string) => void) => ReactNode;
};

/** Entities by id, each a link, and a field that adds one more. */
export function IDList({ label, type, ids, onChange, disabledReason, choice }: Props) {
  return (
    <section className={entity.card} aria-label={label}>
      <h3>{label}</h3>
      {ids.length === 0 ? (
        <p className={entity.soft}>None</p>
      ) : (
        <ul>
          {ids.map((id) => (
            <li key={id} className={entity.row}>
              <EntityLink type={type} id={id} name={id} />
              <IconButton label={`Remove ${id}`} onPress={() => onChange(ids.filter((one) => one !== id))} disabledReason={disabledReason}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {disabledReason === undefined && (
        // Resets after each choice.
        <div key={ids.length}>{choice((id) => !ids.includes(id) && onChange([...ids, id]))}</div>
      )}
    </section>
  );
}
