import { Suspense, useState } from "react";
import { usePublishing } from "../session/account.ts";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Section } from "../shell/page.tsx";
import { environmentState, isOffIn, type Switchable } from "../targeting/environment-state.ts";
import { switchedIn } from "../targeting/environment-switches.ts";
import type { RulesDraft } from "../targeting/rule-draft.ts";
import { Button } from "../ui/button.tsx";
import { Switch } from "../ui/field.tsx";
import { soonDialog } from "../ui/soon.tsx";
import styles from "./environments.module.css";

const CopyEnvironment = soonDialog(() => import("./copy-environment.tsx"));

type Props = {
  noun: "gate" | "dynamic config";
  /** As it would be with the edits of the page. */
  flag: Switchable & { disabledEnvironments: readonly string[]; activeRelease?: object };
  rules: RulesDraft;
  /** The chosen environment; undefined means all. */
  environment: string | undefined;
  onSwitch: (off: string[]) => void;
  onCopy: (rules: RulesDraft) => void;
  /** Why it cannot be edited; undefined if it can. */
  disabledReason: string | undefined;
  /** Why rules cannot be copied; undefined if they can. */
  copyRefusal: string | undefined;
  /** Why it cannot be turned on or off; undefined if it can. */
  switchRefusal: string | undefined;
};

/** The state in each environment, with a switch and a way to copy its rules to another one. */
export function Environments({ noun, flag, rules, environment, onSwitch, onCopy, disabledReason, copyRefusal, switchRefusal }: Props) {
  const all = useEnvironmentNames();
  const [copied, setCopied] = useState<string>();
  const publishes = usePublishing();
  const off = flag.disabledEnvironments;
  const isCopyable = all.length > 1 && rules.items.length > 0;
  const users = noun === "gate" ? "Users who pass" : "Users who get a rule’s value";
  const outcome = flag.activeRelease === undefined ? users : `${users} when the release is complete`;
  return (
    <Section
      title="Environments"
      description={`Turn the ${noun} on or off in individual environments. To turn it off in all of them, use the switch at the top.`}
    >
      <table className={styles.table} aria-label="Environments">
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col">{outcome}</th>
            {isCopyable && <td />}
          </tr>
        </thead>
        <tbody>
          {all
            .filter((name) => environment === undefined || name === environment)
            .map((name) => (
              <tr key={name}>
                <th scope="row">
                  <Switch
                    isSelected={!off.includes(name)}
                    onChange={(isOn) => onSwitch(switchedIn(off, name, isOn))}
                    isDisabled={disabledReason !== undefined || switchRefusal !== undefined}
                    aria-label={`On in ${name}`}
                  >
                    <bdi>{name}</bdi>
                  </Switch>
                </th>
                <td>
                  <State flag={flag} environment={name} />
                  {!publishes(name) && disabledReason === undefined && <p className={styles.off}>You can only request a review here.</p>}
                </td>
                {isCopyable && (
                  <td>
                    <Button onPress={() => setCopied(name)} disabledReason={copyRefusal} aria-label={`Copy rules to… from ${name}`}>
                      Copy rules to…
                    </Button>
                  </td>
                )}
              </tr>
            ))}
        </tbody>
      </table>
      <Suspense>
        {copied !== undefined && (
          <CopyEnvironment noun={noun} flag={flag} rules={rules} from={copied} onCopy={onCopy} onClose={() => setCopied(undefined)} />
        )}
      </Suspense>
    </Section>
  );
}

function State({ flag, environment }: { flag: Switchable; environment: string }) {
  if (!isOffIn(flag, environment)) return environmentState(flag, environment).text;
  if (flag.disabledEnvironments?.includes(environment)) return <span className={styles.off}>Off. Rules don’t run here.</span>;
  return <span className={styles.off}>Off in all environments. Rules don’t run.</span>;
}
