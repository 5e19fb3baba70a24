import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { CircleCheck, CircleX } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { query, type Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Section } from "../shell/page.tsx";
import { Sentence } from "../shell/sentence.tsx";
import { conditionSentence } from "../targeting/sentences.ts";
import type { Condition, Fault, Rule } from "../targeting/types.ts";
import { Badge } from "../ui/badge.tsx";
import { Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import styles from "./entity.module.css";
import { userFrom } from "./user-text.ts";

type Evaluation = Schema<"EntityEvaluation">;

export type Props = {
  type: "gate" | "dynamic_config" | "segment";
  id: string;
  /** Noun of the entity: gate. */
  noun: string;
  /** The rules as they are stored. */
  saved: readonly Rule[];
  /** The rules with the edits. */
  drafted: readonly Rule[];
  /** The body that a save would send; undefined without differences. */
  body: object | undefined;
  /** The faults of the edits. Until they are fixed, only the saved version is tested. */
  faults: readonly Fault[];
};

/** One user's results, saved and with the changes, with the reasons. */
export default function TestedUser({ type, id, noun, saved, drafted, body, faults }: Props) {
  const { environment: chosen } = useSearch({ from: "/projects/$projectID" });
  const environments = useEnvironmentNames();
  const [environment, setEnvironment] = useState(chosen ?? environments.at(-1) ?? "");
  const [userID, setUserID] = useState("");
  const [email, setEmail] = useState("");
  const [more, setMore] = useState("");
  const parsed = userFrom({ userID, email, more });
  const user = useDeferredValue("user" in parsed ? parsed.user : undefined);
  const isIncomplete = faults.some(({ level }) => level === "error");
  const { data, error, isFetching } = useQuery({
    ...query("evaluateUsers", {
      body: {
        users: [user ?? {}],
        environment,
        entities: [{ type, id }],
        // Without a user, the request isn't sent, and its key needs no draft.
        ...(user && body && !isIncomplete && { drafts: [{ type, id, body }] }),
      },
    }),
    enabled: user !== undefined,
    // After a save, the request is the same as before the edits, but its response is not.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const [result] = (user !== undefined && data?.data[0]?.results) || [];
  return (
    <Section title="Test a user" description="Preview what a user gets and why. Not logged as an exposure.">
      <div className={styles.card}>
        <div className={styles.columns}>
          <TextField label="User ID" value={userID} onChange={setUserID} />
          <TextField label="Email" value={email} onChange={setEmail} />
        </div>
        <TextField
          label="Other fields (JSON)"
          value={more}
          onChange={setMore}
          isCode
          placeholder='{"country": "NO", "appVersion": "4.2.0", "custom": {"plan": "pro"}}'
          error={"fault" in parsed ? parsed.fault : undefined}
        />
        <Select
          label="Environment"
          options={environments.map((name) => ({ id: name, label: name }))}
          value={environment}
          onChange={setEnvironment}
        />
      </div>
      {isIncomplete && result && <Notice>Testing the saved version until your changes are complete.</Notice>}
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isFetching && !result && <Loading label="Evaluating" />}
      {result && (
        <div className={styles.columns}>
          <Outcome title="Saved" evaluation={result} rules={saved} noun={noun} />
          {result.draft && <Outcome title="With your changes" evaluation={result.draft} rules={drafted} noun={noun} />}
        </div>
      )}
    </Section>
  );
}

const describeReasons = (noun: string): Record<Evaluation["reason"], string> => ({
  STATIC: "Everyone gets this.",
  TARGETING_MATCH: "A rule matched.",
  SPLIT: "A percentage decided.",
  DISABLED: `The ${noun} is off.`,
  UNKNOWN: "A rule can’t be evaluated.",
  NOT_EVALUATED: `The ${noun} is archived and isn’t sent to applications.`,
});

/** “Outside the 10% rollout”. A rule that passes everyone divides its users among variants. */
function sideOf({ position, passPercentage }: Evaluation["rules"][number]): string {
  if (passPercentage === 100) return "In a variant";
  return `${position !== null && position < passPercentage ? "Inside" : "Outside"} the ${passPercentage}% rollout`;
}

type OutcomeProps = { title: string; evaluation: Omit<Evaluation, "type" | "id" | "draft">; rules: readonly Rule[]; noun: string };

function Outcome({ title, evaluation, rules, noun }: OutcomeProps) {
  // A condition on the rule's environments comes before those of the rule. Evaluation adds others without words.
  const given = (id: string, name: string, count: number): (Condition | undefined)[] => {
    const rule = rules.find((one) => one.id === id) ?? rules.find((one) => one.name === name);
    const own = rule?.conditions.filter(({ type }) => type !== "public") ?? [];
    return count > own.length ? [undefined, ...own] : own;
  };
  const decider = evaluation.rules.find(({ id }) => id === evaluation.ruleID);
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.row}>
        <h3>{title}</h3>
        {typeof evaluation.value === "boolean" && (
          <Badge tone={evaluation.value ? "good" : "bad"}>{evaluation.value ? "Passes" : "Fails"}</Badge>
        )}
      </div>
      {typeof evaluation.value === "object" && <pre className={styles.value}>{JSON.stringify(evaluation.value, undefined, 2)}</pre>}
      <p>
        {decider && evaluation.reason === "SPLIT" && decider.position !== null ? (
          <>
            {sideOf(decider)} of <bdi>“{decider.name}”</bdi>.
          </>
        ) : (
          <>
            {describeReasons(noun)[evaluation.reason]}{" "}
            {decider ? <>Decided by {<bdi>{decider.name}</bdi>}.</> : evaluation.ruleID === "default" && "No rule matched."}
          </>
        )}
      </p>
      <ol className={styles.ruleList}>
        {evaluation.rules.map(({ id, name, passed, passPercentage, position, conditions }) => (
          <li key={id}>
            <span className={`${styles.step} ${passed ? styles.passed : styles.failed}`}>
              {passed ? <CircleCheck aria-label="Passes" /> : <CircleX aria-label="Doesn’t pass" />}
              <strong>
                <bdi>{name || id}</bdi>
              </strong>
              {position !== null && passPercentage < 100 && (
                <span className={styles.soft}>
                  Bucket {position}: {position < passPercentage ? "inside" : "outside"} the {passPercentage}% rollout
                </span>
              )}
            </span>
            <ul className={styles.steps}>
              {conditions.map((condition, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity.
                <li key={index} className={`${styles.step} ${condition.passed ? styles.passed : styles.failed}`}>
                  {condition.passed ? <CircleCheck aria-label="True" /> : <CircleX aria-label="False" />}
                  <ConditionText condition={condition} given={given(id, name, conditions.length)[index]} />
                  <span className={styles.soft}>
                    {condition.compared === null ? (
                      "not set for this user"
                    ) : (
                      <>
                        compared <code>{String(condition.compared)}</code>
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ConditionText({ condition, given }: { condition: Schema<"ConditionEvaluation">; given: Condition | undefined }) {
  if (given) return <Sentence parts={conditionSentence(given)} />;
  if (condition.type === "environment_field") return <span>The rule applies in this environment</span>;
  return (
    <span>
      {[condition.type, condition.field, condition.operator]
        .filter((one) => one !== null)
        .join(" ")
        .replaceAll("_", " ")}
    </span>
  );
}
