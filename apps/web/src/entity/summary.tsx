import type { ReactNode } from "react";
import { ActorName } from "../shell/actor-name.tsx";
import { Chip } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./summary.module.css";

export type Summarized = {
  description?: string;
  tags?: readonly string[];
  team?: string | null;
  owner?: { ownerName?: string } | null;
  /** Missing, or 0, for what no one has changed, such as built-in roles. */
  lastModifiedTime?: number;
  lastModifierID?: string | null;
  lastModifierName: string | null;
};

type Props = {
  of: Summarized;
  /** Recent use, such as a line of checks. */
  children?: ReactNode;
};

/** Purpose, owner and last change of an entity, above its tabs. */
export function Summary({
  of: { description, tags = [], team, owner, lastModifiedTime, lastModifierID, lastModifierName },
  children,
}: Props) {
  const ownerName = owner?.ownerName ?? "";
  if (!lastModifiedTime) return null;
  return (
    <div className={styles.summary}>
      {description !== undefined && description !== "" && <p className={styles.description}>{description}</p>}
      <ul className={styles.facts} aria-label="Summary">
        {ownerName !== "" && (
          <li>
            Owner <bdi>{ownerName}</bdi>
          </li>
        )}
        {typeof team === "string" && team !== "" && (
          <li>
            Team <bdi>{team}</bdi>
          </li>
        )}
        <li>
          Changed <Time time={lastModifiedTime} />
          {lastModifierName !== null && (
            <>
              {" by "}
              <ActorName id={lastModifierID} name={lastModifierName} />
            </>
          )}
        </li>
        {children !== undefined && <li>{children}</li>}
        {tags.length > 0 && (
          <li>
            {tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
          </li>
        )}
      </ul>
    </div>
  );
}
