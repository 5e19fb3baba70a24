import { useQuery } from "@tanstack/react-query";
import { explain } from "../explain.ts";
import { EntityLink } from "../shell/entity-link.tsx";
import { Section } from "../shell/page.tsx";
import { fieldName } from "../targeting/field-words.ts";
import { Empty, Loading, Notice } from "../ui/notice.tsx";
import styles from "./entity.module.css";
import { type ReferencedType, referencesQuery } from "./read-by.tsx";
import { type CodeReferenceType, UsedInCode } from "./used-in-code.tsx";

type Props = {
  type: ReferencedType;
  id: string;
  noun: string;
  /** Whether it is no longer needed. */
  isStale?: boolean;
  /** The entities listed here. */
  children: string;
};

/** The entities and the code that read this entity. */
export function UsedByTab(props: Props) {
  const { type, id, noun, isStale = false } = props;
  return (
    <>
      <UsedByEntities {...props} />
      {isReadByCode(type) && <UsedInCode type={type} id={id} noun={noun} isStale={isStale} />}
    </>
  );
}

const READ_BY_CODE: readonly string[] = ["dynamic_config", "experiment", "gate", "layer"] satisfies CodeReferenceType[];

function isReadByCode(type: ReferencedType): type is ReferencedType & CodeReferenceType {
  return READ_BY_CODE.includes(type);
}

/** The entities that read this one. Until they stop, it cannot be archived or deleted without force. */
function UsedByEntities({ type, id, noun, children }: Props) {
  const { data, error, isPending } = useQuery(referencesQuery(type, id));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (isPending) return <Loading />;
  if (data.data.length === 0) return <Empty title={`This ${noun} isn’t used anywhere`}>{children}</Empty>;
  return (
    <Section title="Used by" description={`A ${noun} in use can’t be archived or deleted.`}>
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
            {data.data.map(({ type: kind, id: user, name, places }) => (
              <tr key={`${kind} ${user}`}>
                <th scope="row">
                  <EntityLink type={kind} id={user} name={name ?? user} />
                </th>
                <td>{kind.replaceAll("_", " ")}</td>
                <td>{places.map(fieldName).join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
