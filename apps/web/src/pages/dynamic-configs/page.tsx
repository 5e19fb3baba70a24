import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { faultsWith } from "../../entity/faults.ts";
import { useEntityTabs } from "../../entity/use-entity-tabs.ts";
import { ReadBy, UsedByTab } from "../../entity/used-by-tab.tsx";
import { Review } from "../../saving/review.tsx";
import { Saving } from "../../saving/saving.tsx";
import { useDraft } from "../../saving/use-draft.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { Page } from "../../shell/page.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";
import { DynamicConfigActions } from "./actions.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { configModel, faultsOfTexts, knownEntities, previewOf, type StoredConfig, writeOf } from "./dynamic-config-draft.ts";
import { DynamicConfigHistory } from "./history.tsx";
import type { Tab } from "./page-search.ts";
import { SchemaTab } from "./schema-tab.tsx";
import { STATUS_TONES } from "./states.ts";
import { ValuesTab } from "./values-tab.tsx";

const FROM = "/projects/$projectID/dynamic-configs/$id";

const TABS: Record<Tab, string> = {
  values: "Values",
  schema: "Schema",
  history: "History",
  "used-by": "Used by",
  details: "Details",
};

export default function DynamicConfigPage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one dynamic config: another one begins anew.
  return <DynamicConfigOf key={`${currentProjectID()} ${id}`} id={id} />;
}

function DynamicConfigOf({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { tab = "values" } = useSearch({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getDynamicConfig", { path: { id } }));
  const stored = useMemo((): StoredConfig => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: config } = stored;
  const drafting = useDraft(configModel, stored);
  const { draft, edit, count, refused } = drafting;
  const open = useEntityTabs(TABS, "values", drafting);
  const all = useEnvironments().map(({ name }) => name);
  const refusal = useRefusal()("edit_or_delete_configs");
  const isArchived = config.status === "Archived";
  const disabledReason = refusal ?? (isArchived ? "The dynamic config is archived. Unarchive it to change it." : undefined);
  const ours = useMemo(() => [...faultsOfRules(draft.rules, draft.stored.entity.rules, Date.now()), ...faultsOfTexts(draft)], [draft]);
  const shared = { draft, onChange: edit, disabledReason, faults: faultsWith(ours, refused) };
  const saved = async () => {
    await readAgain();
    await invalidate("listDynamicConfigs", "listDynamicConfigVersions", "listChanges", "listReferences");
    toast({ text: `${draft.fields.name} is saved`, action: { label: "See the history", onPress: () => open("history") } });
  };
  return (
    <Page
      title={config.name}
      above={
        <Link to="/projects/$projectID/dynamic-configs" params={{ projectID }}>
          Dynamic configs
        </Link>
      }
      beside={
        <>
          <Badge tone={STATUS_TONES[config.status]}>{config.status}</Badge>
          <code>{config.id}</code>
        </>
      }
      actions={<DynamicConfigActions draft={draft} onChange={edit} hasDraft={count > 0} disabledReason={disabledReason} />}
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      {isArchived && <Notice>This dynamic config is archived: everybody gets the default value, and lists omit it.</Notice>}
      <Tabs
        label="Parts of the dynamic config"
        selected={tab}
        onSelect={open}
        tabs={[
          { id: "values", label: TABS.values, content: () => <ValuesTab {...shared} /> },
          { id: "schema", label: TABS.schema, content: () => <SchemaTab {...shared} /> },
          {
            id: "history",
            label: TABS.history,
            content: () => (
              <DynamicConfigHistory
                stored={stored}
                disabledReason={disabledReason ?? (count > 0 ? "Save or discard your changes first." : undefined)}
              />
            ),
          },
          {
            id: "used-by",
            label: TABS["used-by"],
            content: () => (
              <UsedByTab type="dynamic_config" id={id} noun="dynamic config">
                Param stores that take a value from it would be listed here.
              </UsedByTab>
            ),
          },
          { id: "details", label: TABS.details, content: () => <DetailsTab {...shared} /> },
        ]}
      />
      <Saving
        model={configModel}
        drafting={drafting}
        stored={stored}
        last={config}
        versionOf={({ entity }) => entity.version}
        disabledReason={ours.some(({ level }) => level === "error") ? "Complete what is marked first." : undefined}
        review={(edits, handlers) => (
          <Review
            title={`Review the changes of ${config.name}`}
            write={writeOf(edits)}
            inWords={(changes) => describeChanges(changes, knownEntities(edits))}
            environments={environmentsInWords(environmentsTouched({ flag: edits.stored.entity }, { flag: previewOf(edits) }, all), all)}
            {...handlers}
          >
            <ReadBy type="dynamic_config" id={id} noun="dynamic config" />
          </Review>
        )}
        onReadAgain={readAgain}
        onSaved={() => void saved()}
      />
    </Page>
  );
}

const readAgain = () => invalidate("getDynamicConfig");
