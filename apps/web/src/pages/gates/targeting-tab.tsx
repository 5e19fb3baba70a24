import { useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { TestUser } from "../../entity/test-user.tsx";
import { RELEASED_RULES, releaseLock } from "../../releases/locked.ts";
import { Environments } from "../../rules/environments.tsx";
import { RulesEditor } from "../../rules/rules-editor.tsx";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { toRules } from "../../targeting/rule-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { soon } from "../../ui/soon.tsx";
import { type GateDraft, setFields, toPatch, toPreview } from "./gate-draft.ts";
import type { TabProps } from "./tab-props.ts";

const CompareEnvironments = soon(() => import("../../rules/compare-environments.tsx"));

export function TargetingTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { environment } = useSearch({ from: "/projects/$projectID" });
  const [isComparing, setComparing] = useState(false);
  const { isEnabled } = draft.fields;
  const launching = useRefusal()("launch_or_disable_configs");
  const rulesReason = disabledReason ?? releaseLock(draft.stored.entity);
  const set = (rules: GateDraft["rules"]) => onChange({ ...draft, rules });
  return (
    <>
      {!isEnabled && draft.stored.entity.status !== "Archived" && (
        <Notice tone="warn">This gate is disabled: off for everyone, and rules are ignored.</Notice>
      )}
      {draft.stored.entity.status === "Launched" && isEnabled && (
        <Notice>This gate is launched: on for everyone outside holdouts, except in environments where it’s off. Rules are ignored.</Notice>
      )}
      <Environments
        noun="gate"
        flag={toPreview(draft)}
        rules={draft.rules}
        environment={environment}
        onSwitch={(disabledEnvironments) => onChange(setFields(draft, { disabledEnvironments }))}
        onCopy={set}
        disabledReason={disabledReason}
        copyRefusal={rulesReason}
        switchRefusal={launching}
      />
      <Section
        title={environment === undefined ? "Rules" : `Rules in ${environment}`}
        description={
          draft.stored.entity.activeRelease
            ? RELEASED_RULES
            : "Rules run top to bottom. The first match wins. Users who match no rule fail the gate."
        }
        actions={
          draft.rules.items.length > 0 ? (
            <Button onPress={() => setComparing(!isComparing)}>{isComparing ? "Hide comparison" : "Compare environments"}</Button>
          ) : undefined
        }
      >
        <Suspense fallback={<Loading />}>
          {isComparing && (
            <CompareEnvironments draft={draft.rules} onChange={set} idType={draft.stored.entity.idType} disabledReason={rulesReason} />
          )}
        </Suspense>
        <RulesEditor
          draft={draft.rules}
          onChange={set}
          idType={draft.stored.entity.idType}
          environment={environment}
          faults={faults}
          disabledReason={rulesReason}
          isPaused={draft.stored.entity.pausedBy !== undefined}
        />
      </Section>
      <TestUser
        type="gate"
        id={draft.stored.entity.id}
        noun="gate"
        saved={draft.stored.entity.rules}
        drafted={toRules(draft.rules)}
        body={toPatch(draft)}
        faults={faults}
      />
    </>
  );
}
