import { Link, useParams } from "@tanstack/react-router";
import { Fragment } from "react";
import { pageRoute } from "../kinds/kinds.ts";
import { gapBetween, type Part } from "../targeting/parts.ts";
import styles from "./sentence.module.css";

/** A sentence with prominent values, and with links from names to their entities. */
export function Sentence({ parts }: { parts: readonly Part[] }) {
  return (
    <span className={styles.sentence}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity, and a sentence is drawn as a whole.
        <Fragment key={index}>
          {gapBetween(parts[index - 1], part)}
          <SentencePart part={part} />
        </Fragment>
      ))}
    </span>
  );
}

function SentencePart({ part }: { part: Part }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  switch (part.kind) {
    case "value":
      return (
        <bdi className={styles.value} title={part.title}>
          {part.text}
        </bdi>
      );
    case "more":
      return (
        <span className={styles.more} title={part.values.join(", ")}>
          {part.text}
        </span>
      );
    case "reference":
      return (
        <Link to={pageRoute(part.type)} params={{ projectID, id: part.id }} className={styles.value}>
          <bdi>{part.text}</bdi>
        </Link>
      );
    case "subject":
      return (
        <strong className={styles.subject}>
          <bdi>{part.text}</bdi>
        </strong>
      );
    default:
      return part.text;
  }
}
