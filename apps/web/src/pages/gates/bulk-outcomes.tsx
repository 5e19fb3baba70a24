import type { Impact } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type BulkAction, byRisk, checkedText, type GateRisk, isUsed, type ReadGate, riskText, unaffected } from "./bulk-writes.ts";
import styles from "./list.module.css";

/** Longer lists show only the gates in use at first. */
const MAX_UNFOLDED = 10;

type Props = {
  gates: readonly ReadGate[];
  action: BulkAction;
  impact: Impact | undefined;
  /** How many gates the reader left out because they were checked. */
  leftOut: number;
  onLeaveOut: (ids: readonly string[]) => void;
};

/** Says how many of the gates were checked lately, and what happens to each. */
export function BulkOutcomes({ gates, action, impact, leftOut, onLeaveOut }: Props) {
  const risks = byRisk(gates, impact);
  const changing = risks.filter(({ gate }) => unaffected(gate, action) === undefined);
  const checked = changing.filter(({ gate }) => gate.checksPerHour > 0);
  const isRisky = action.id !== "tag" && action.id !== "untag";
  const isLong = isRisky && risks.length > MAX_UNFOLDED;
  const unfolded = isLong ? changing.filter(isUsed) : risks;
  const folded = isLong ? risks.filter((risk) => !unfolded.includes(risk)) : [];
  return (
    <>
      {isRisky && changing.length > 0 && (
        <Notice tone={checked.length > 0 ? "warn" : "info"}>
          {checkedText(checked.length, changing.length)}{" "}
          {checked.length > 0 && checked.length < changing.length && (
            <Button onPress={() => onLeaveOut(checked.map(({ gate }) => gate.id))}>
              Leave {checked.length === 1 ? "it" : "those"} out
            </Button>
          )}
        </Notice>
      )}
      {leftOut > 0 && (
        <p>
          {leftOut === 1 ? "1 checked gate is left out." : `${leftOut} checked gates are left out.`}{" "}
          <Button look="quiet" onPress={() => onLeaveOut([])}>
            Include {leftOut === 1 ? "it" : "them"}
          </Button>
        </p>
      )}
      {unfolded.length > 0 && <Outcomes label="Changes by gate" of={unfolded} action={action} />}
      {folded.length > 0 && (
        <details>
          <summary>
            {unfolded.length === 0 ? `All ${folded.length} gates` : folded.length === 1 ? "1 other gate" : `${folded.length} other gates`}
          </summary>
          <Outcomes label="Other gates" of={folded} action={action} />
        </details>
      )}
    </>
  );
}

function Outcomes({ label, of, action }: { label: string; of: readonly GateRisk[]; action: BulkAction }) {
  return (
    <ul className={styles.outcomes} aria-label={label}>
      {of.map((risk) => (
        <li key={risk.gate.id}>
          <bdi>{risk.gate.name}</bdi>
          <span>{unaffected(risk.gate, action) ?? riskText(risk)}</span>
        </li>
      ))}
    </ul>
  );
}
