import { useSearch } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { Json5Field } from "../../entity/json5-field.tsx";
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
import { type ConfigDraft, setFields, toPatch, toPreview } from "./dynamic-config-draft.ts";
import type { TabProps } from "./tab-props.ts";

const CompareEnvironments = soon(() => import("../../rules/compare-environments.tsx"));

/** The values that users get. */
export function ValuesTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { environment } = useSearch({ from: "/projects/$projectID" });
  const [isComparing, setComparing] = useState(false);
  const { entity } = draft.stored;
  const { isEnabled, schemaJson5, defaultValueJson5 } = draft.fields;
  const values = useMemo(() => ({ schema: schemaJson5 }), [schemaJson5]);
  const launching = useRefusal()("launch_or_disable_configs");
  const rulesReason = disabledReason ?? releaseLock(entity);
  const set = (rules: ConfigDraft["rules"]) => onChange({ ...draft, rules });
  return (
    <>
      {!isEnabled && entity.status !== "Archived" && (
        <Notice tone="warn">This dynamic config is disabled: everyone gets the default value, and rules are ignored.</Notice>
      )}
      <Environments
        noun="dynamic config"
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
        description={entity.activeRelease ? RELEASED_RULES : "Rules run top to bottom. The first match sets the user’s value."}
        actions={
          draft.rules.items.length > 0 ? (
            <Button onPress={() => setComparing(!isComparing)}>{isComparing ? "Hide comparison" : "Compare environments"}</Button>
          ) : undefined
        }
      >
        <Suspense fallback={<Loading />}>
          {isComparing && <CompareEnvironments draft={draft.rules} onChange={set} idType={entity.idType} disabledReason={rulesReason} />}
        </Suspense>
        <RulesEditor
          draft={draft.rules}
          onChange={set}
          idType={entity.idType}
          environment={environment}
          faults={faults}
          disabledReason={rulesReason}
          values={values}
        />
      </Section>
      <Section title="Default value" description="Returned to users who match no rule.">
        <Json5Field
          label="Default value"
          isLabelHidden
          value={defaultValueJson5}
          onChange={(text) => onChange(setFields(draft, { defaultValueJson5: text }))}
          schema={schemaJson5}
          isReadOnly={rulesReason !== undefined}
        />
      </Section>
      <TestUser
        type="dynamic_config"
        id={entity.id}
        noun="dynamic config"
        saved={entity.rules}
        drafted={toRules(draft.rules)}
        body={toPatch(draft)}
        faults={faults}
      />
    </>
  );
}
