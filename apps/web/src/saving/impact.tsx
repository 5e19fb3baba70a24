import type { Impact as ImpactOf } from "../api.ts";
import { Notice } from "../ui/notice.tsx";
import { formatNumber } from "../ui/number-text.ts";
import { impactValue } from "./impact-words.ts";
import styles from "./saving.module.css";

/** Changed values of an environment that are shown. */
const SHOWN = 10;

/** The server estimates an impact from recent exposures of the changed entities. */
const UNCHECKED = "Your apps haven’t checked this for any user recently, so the impact can’t be estimated.";

/** How many of the users seen lately would get another value, in each environment, with examples. */
export function Impact({ impact }: { impact: ImpactOf }) {
  const seen = impact.filter(({ users }) => users > 0);
  if (impact.length === 0) return <p>These changes don’t affect users.</p>;
  if (seen.length === 0) return <p>{UNCHECKED}</p>;
  return (
    <div className={styles.impact}>
      {seen.map(({ environment, users, changed, transitions, examples }) => (
        <div key={environment}>
          <Notice tone={changed > 0 ? "warn" : "info"}>
            <span>
              <strong>
                <bdi>{environment}</bdi>
              </strong>
              {changed === 0
                ? `: none of the ${formatNumber(users)} recent users get a different value.`
                : `: ${formatNumber(changed)} of the ${formatNumber(users)} recent users get a different value.`}
            </span>
            {transitions.length > 0 && (
              <ul>
                {transitions.slice(0, SHOWN).map(({ type, id, from, to, count }) => (
                  <li key={`${type} ${id} ${JSON.stringify([from, to])}`}>
                    {formatNumber(count)} × <bdi>{id}</bdi>: <bdi>{impactValue(type, from)}</bdi> → <bdi>{impactValue(type, to)}</bdi>
                  </li>
                ))}
                {transitions.length > SHOWN && <li>and {transitions.length - SHOWN} more</li>}
              </ul>
            )}
            {examples.length > 0 && (
              <span>
                For example <bdi>{[...new Set(examples.map(({ user }) => describeUser(user)))].join(", ")}</bdi>
              </span>
            )}
          </Notice>
        </div>
      ))}
    </div>
  );
}

function describeUser({ userID, customIDs }: ImpactOf[number]["examples"][number]["user"]): string {
  const [id] = [userID, ...Object.values(customIDs ?? {})].filter((one) => one !== undefined && one !== null && one !== "");
  return String(id ?? "a user without an ID");
}
