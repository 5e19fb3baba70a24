import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./events.module.css";

type Event = Schema<"Event">;

/** Longer metadata opens on request. */
const SHORT = 100;

export function EventTable({ name, events }: { name: string; events: readonly Event[] }) {
  return (
    <div className={styles.wide}>
      <table className={entity.table} aria-label="Latest events">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">User</th>
            <th scope="col">Value</th>
            <th scope="col">Metadata</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ timestamp, userID, value, source, metadata }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a user can do the same twice at the same time.
            <tr key={`${timestamp} ${userID} ${index}`}>
              <td>
                <Time time={Number(timestamp)} />
              </td>
              <td>{userID === "" ? <span className={entity.soft}>Without a user ID</span> : <bdi>{userID}</bdi>}</td>
              <td>{name === GATE_EXPOSURE ? <Gate id={metadata.gate} /> : <bdi>{value}</bdi>}</td>
              <td>
                <Metadata metadata={metadata} />
              </td>
              <td>{source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const GATE_EXPOSURE = "statsig::gate_exposure";

function Gate({ id }: { id: unknown }) {
  return typeof id === "string" ? <EntityLink type="gate" id={id} name={id} /> : null;
}

function Metadata({ metadata }: { metadata: Event["metadata"] }) {
  const text = JSON.stringify(metadata);
  if (text === "{}") return null;
  if (text.length <= SHORT)
    return (
      <code>
        <bdi>{text}</bdi>
      </code>
    );
  return (
    <details className={styles.metadata}>
      <summary>
        <code>
          <bdi>{text.slice(0, SHORT)}…</bdi>
        </code>
      </summary>
      <pre>
        <bdi>{JSON.stringify(metadata, null, 2)}</bdi>
      </pre>
    </details>
  );
}
