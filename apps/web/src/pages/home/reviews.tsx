import { Link, useParams } from "@tanstack/react-router";
import type { Schema } from "../../api.ts";
import { entityNoun } from "../../kinds/kinds.ts";
import { Section } from "../../shell/page.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";

/** Changes that the reader can approve. @param total how many there are, listed or not */
export function NeededReviews({ of: reviews, total }: { of: readonly Schema<"Review">[]; total: number }) {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  return (
    <Section
      title="Needs your review"
      actions={
        <Link to="/projects/$projectID/reviews" params={{ projectID }}>
          {total > reviews.length ? `All ${total}` : "All reviews"}
        </Link>
      }
    >
      <ul className={styles.list}>
        {reviews.map(({ id, entities, author, createdTime, reason }) => {
          const [first, ...others] = entities;
          return (
            <li key={id}>
              <span className={styles.name}>
                <Link to="/projects/$projectID/reviews/$id" params={{ projectID, id }}>
                  <bdi>
                    {first === undefined ? "Change" : `Change to ${entityNoun(first.entityType)} ${first.entityID}`}
                    {others.length > 0 && ` and ${others.length} more`}
                  </bdi>
                </Link>
                {reason !== null && <span className={styles.reason}>{reason}</span>}
              </span>
              <span className={styles.soft}>
                <bdi>{author.name || author.email || author.id}</bdi>, <Time time={createdTime} />
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
