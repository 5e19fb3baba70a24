import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useEntitySearch } from "../../entity/entity-choice.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";

type Props = { alerts: readonly string[]; onChange: (alerts: string[]) => void; error: string | undefined };

/** Alerts by their ids, and a search field that adds one more. */
export function AlertsField({ alerts, onChange, error }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listAlerts", given), placeholderData: (known) => known });
  const found = data?.data ?? [];
  const nameOf = (id: string) => found.find((one) => one.id === id)?.name ?? id;
  return (
    <section className={entity.card} aria-label="Guardrail alerts">
      <h4>Guardrail alerts</h4>
      <p className={entity.soft}>Pause the release when one of these alerts is raised.</p>
      {alerts.length === 0 ? (
        <p className={entity.soft}>None</p>
      ) : (
        <ul>
          {alerts.map((id) => (
            <li key={id} className={entity.row}>
              <EntityLink type="alert" id={id} name={nameOf(id)} />
              <IconButton label={`Remove ${nameOf(id)}`} onPress={() => onChange(alerts.filter((one) => one !== id))}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      <ComboBox
        key={alerts.join()}
        label="Add to guardrail alerts"
        options={found.filter(({ id }) => !alerts.includes(id)).map(({ id, name = id }) => ({ id, label: name }))}
        value={null}
        onChange={(id) => onChange([...alerts, id])}
        onSearch={onSearch}
        placeholder="Search alerts"
      />
    </section>
  );
}
