import { useQuery } from "@tanstack/react-query";
import { query, type Request } from "../api.ts";
import { explain } from "../explain.ts";
import { Section } from "../shell/page.tsx";
import { Notice } from "../ui/notice.tsx";
import { formatNumber } from "../ui/number-text.ts";
import styles from "./entity.module.css";

const MAX_SHOWN = 100;

export type CodeReferenceType = NonNullable<NonNullable<Request<"listCodeReferences">["query"]>["type"]>;

const codeQuery = (type: CodeReferenceType, id: string) => query("listCodeReferences", { query: { type, id, limit: MAX_SHOWN } });

type Props = { type: CodeReferenceType; id: string; noun: string; isStale?: boolean };

/** The places in code that use an entity. Nothing if no repository was scanned, or none uses it. */
export function UsedInCode({ type, id, noun, isStale = false }: Props) {
  const { data, error } = useQuery(codeQuery(type, id));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  const { data: places = [], pagination } = data ?? {};
  if (places.length === 0) return null;
  const total = pagination?.totalItems ?? places.length;
  const description = isStale ? `The ${noun} is stale. Remove it from this code, then archive it.` : `The lines that read the ${noun}.`;
  return (
    <Section title={isStale ? "Code to remove" : "Used in code"} description={description}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Repository</th>
              <th scope="col">Branch</th>
              <th scope="col">Line</th>
            </tr>
          </thead>
          <tbody>
            {places.map(({ repository, branch, file, line, text, url }) => (
              <tr key={`${repository} ${branch} ${file} ${line}`}>
                <th scope="row">{url === null ? `${file}:${line}` : <a href={url} rel="noreferrer">{`${file}:${line}`}</a>}</th>
                <td>{repository}</td>
                <td>{branch}</td>
                <td>
                  <code>{text}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > places.length && <p>{`${formatNumber(total - places.length)} more places aren’t shown.`}</p>}
    </Section>
  );
}
