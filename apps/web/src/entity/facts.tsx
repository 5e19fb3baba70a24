import { Fragment, type ReactNode } from "react";
import { Section } from "../shell/page.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./entity.module.css";

type Audit = {
  createdTime: number;
  creatorName?: string | null;
  lastModifiedTime: number;
  lastModifierName: string | null;
  version: number;
};

type Props = {
  id: string;
  /** Creator, last modifier, and the times. */
  of: Audit;
  /** Other facts that are fixed or set elsewhere. */
  facts?: readonly { term: string; is: ReactNode }[];
};

/** Facts that the page does not edit. */
export function Facts({ id, of, facts = [] }: Props) {
  return (
    <Section title="Facts">
      <dl className={styles.facts}>
        <dt>ID</dt>
        <dd>
          <code>{id}</code>
        </dd>
        {facts.map(({ term, is }) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{is}</dd>
          </Fragment>
        ))}
        <dt>Created</dt>
        <dd>
          <TimeBy time={of.createdTime} name={of.creatorName} />
        </dd>
        <dt>Last changed</dt>
        <dd>
          <TimeBy time={of.lastModifiedTime} name={of.lastModifierName} />
        </dd>
        <dt>Version</dt>
        <dd>{of.version}</dd>
      </dl>
    </Section>
  );
}

function TimeBy({ time, name = null }: { time: number; name: string | null | undefined }) {
  return (
    <>
      <Time time={time} />
      {name !== null && (
        <>
          {" by "}
          <bdi>{name}</bdi>
        </>
      )}
    </>
  );
}
