import { Fragment, type ReactNode } from "react";
import { ActorName } from "../shell/actor-name.tsx";
import { Section } from "../shell/page.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./entity.module.css";

type Audit = {
  createdTime: number;
  creatorID?: string | null;
  creatorName?: string | null;
  lastModifiedTime: number;
  lastModifierID?: string | null;
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
          <TimeBy time={of.createdTime} id={of.creatorID} name={of.creatorName} />
        </dd>
        <dt>Last changed</dt>
        <dd>
          <TimeBy time={of.lastModifiedTime} id={of.lastModifierID} name={of.lastModifierName} />
        </dd>
        <dt>Version</dt>
        <dd>{of.version}</dd>
      </dl>
    </Section>
  );
}

function TimeBy({ time, id, name = null }: { time: number; id: string | null | undefined; name: string | null | undefined }) {
  return (
    <>
      <Time time={time} />
      {name !== null && (
        <>
          {" by "}
          <ActorName id={id} name={name} />
        </>
      )}
    </>
  );
}
