import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { explain } from "../../shell/explain.ts";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import styles from "./gate.module.css";

const MAX_SHOWN = 100;

/** What reads this gate. As long as anything does, it cannot be archived or deleted without force. */
export function UsedByTab({ id }: { id: string }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data, error, isPending } = useQuery(query("listReferences", { query: { type: "gate", id, limit: MAX_SHOWN } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (isPending) return <Loading />;
  if (data.data.length === 0)
    return (
      <Empty title="Nothing else uses this gate">Gates, segments, experiments and holdouts whose rules name it would be listed here.</Empty>
    );
  return (
    <Section title="Used by" description="As long as something uses the gate, it is archived or deleted only by force.">
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Kind</th>
              <th scope="col">Where</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ type, id: user, name, places }) => (
              <tr key={`${type} ${user}`}>
                <th scope="row">
                  {type === "gate" ? (
                    <Link to="/projects/$projectID/gates/$id" params={{ projectID, id: user }}>
                      <bdi>{name ?? user}</bdi>
                    </Link>
                  ) : (
                    <bdi>{name ?? user}</bdi>
                  )}
                </th>
                <td>{type.replaceAll("_", " ")}</td>
                <td>
                  <code>{places.join(", ")}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
