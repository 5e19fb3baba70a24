import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { counted } from "../../charts/format.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { useEnvironments } from "../../shell/environments.ts";
import { Section } from "../../shell/page.tsx";
import styles from "./home.module.css";

/** How often applications checked gates in each environment. Nothing without checks, and until they are known. */
export default function Checks() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const { data } = useQuery(query("getChecksByEnvironment", {}));
  const environments = useEnvironments();
  if (!data || data.data.environments.length === 0) return null;
  const find = (reported: string | null) => environments.find(({ name }) => name.toLowerCase() === reported);
  return (
    <Section title="Checks per hour" description="How often your applications checked gates in the last 24 hours.">
      <ul className={styles.list} aria-label="Checks by environment">
        {data.data.environments.map(({ environment, checks, hours }) => {
          const known = find(environment);
          const name = known?.name ?? environment ?? "No environment";
          return (
            <li key={environment ?? ""}>
              <span className={styles.environment}>
                {known ? (
                  <Link to="/projects/$projectID/gates" params={{ projectID }} search={{ environment: known.name }}>
                    <bdi>{name}</bdi>
                  </Link>
                ) : (
                  <bdi>{name}</bdi>
                )}
              </span>
              <Sparkline label={`Checks per hour in ${name}`} unit="checks" values={hours} width={240} height={28} />
              <span className={styles.soft}>{counted(checks, "checks")} in 24 hours</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
