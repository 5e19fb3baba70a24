import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo } from "react";
import { currentProjectID, invalidate, query, queryClient } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { Section } from "../../shell/page.tsx";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import { Chip } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import {
  addParameter,
  describeDraft,
  describeVersions,
  faultsOfDraft,
  type ParameterDraft,
  type ParamStoreDraft,
  paramStoreModel,
  type StoredParamStore,
  toWriteRequests,
} from "./param-store-draft.ts";
import { ParameterEditor } from "./parameter.tsx";

const FROM = "/projects/$projectID/param-stores/$id";

export default function ParamStorePage() {
  const { id } = useParams({ from: FROM });
  return <ParamStoreView key={`${currentProjectID()} ${id}`} name={id} />;
}

function ParamStoreView({ name }: { name: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getParamStore", { path: { name } }));
  const stored = useMemo((): StoredParamStore => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: store } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("edit_or_delete_configs");
  const all = useEnvironmentNames();
  const everywhere = environmentsInWords(all, all);
  return (
    <EntityPage
      noun="param store"
      title={store.displayName}
      list={
        <Link to="/projects/$projectID/param-stores" params={{ projectID }}>
          Param stores
        </Link>
      }
      stored={stored}
      model={paramStoreModel}
      beside={<code>{store.name}</code>}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      inWords={(draft) => describeDraft(draft, sourceNames(draft))}
      environments={() => everywhere}
      reads={{ own: ["getParamStore"], others: ["listParamStores", "listParamStoreVersions"] }}
      actions={({ count }) => (
        <>
          <UseInCode kind="param_store" id={store.name} />
          <EntitySteps
            name={store.displayName}
            hasDraft={count > 0}
            steps={[
              {
                id: "delete",
                label: "Delete",
                request: { operationId: "deleteParamStore", path: { name }, ifMatch: stored.etag },
                about: <p>Code that reads it gets the fallback values in the code.</p>,
                done: "is deleted",
                isRestorable: true,
                disabledReason: refusal,
                isDangerous: true,
                environments: everywhere,
              },
            ]}
            onConflict={() => void invalidate("getParamStore")}
            onDone={async () => {
              await navigate({ to: "/projects/$projectID/param-stores" });
              await invalidate("listParamStores", "listChanges");
            }}
          />
        </>
      )}
      tabs={kinds.param_store.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "parameters":
            return <Parameters {...shared} />;
          case "history":
            return <ParamStoreHistory stored={stored} disabledReason={restoreReason} environments={everywhere} />;
          case "details":
            return <Details {...shared} />;
        }
      }}
    />
  );
}

const READS = { gate: "getGate", dynamic_config: "getDynamicConfig", experiment: "getExperiment", layer: "getLayer" } as const;

/** The name of an entity, if a page has read the entity. */
function knownName(read: (typeof READS)[keyof typeof READS], id: string): string | undefined {
  // Each operation takes the path of a gate's.
  return queryClient.getQueryData(query(read as "getGate", { path: { id } }).queryKey)?.data.name;
}

/** The names of the edited parameters' sources, as far as the page has read them. */
function sourceNames({ fields }: ParamStoreDraft): KnownNames {
  const sources = fields.parameters.flatMap(({ source, entity }) => (source === "static" || entity === "" ? [] : [{ source, id: entity }]));
  return Object.fromEntries(sources.map(({ source, id }) => [id, knownName(READS[source], id) ?? id]));
}

function Parameters({ draft, onChange, disabledReason, faults }: EditProps<ParamStoreDraft>) {
  const { parameters } = draft.fields;
  const set = (changed: readonly ParameterDraft[]) => onChange(setFields(draft, { parameters: changed }));
  const button = (
    <Button onPress={() => set(addParameter(parameters))} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      Add parameter
    </Button>
  );
  return (
    <Section title="Parameters" description="Your code reads each parameter by name." actions={parameters.length > 0 && button}>
      {parameters.length === 0 && (
        <Empty title="No parameters" action={button}>
          Code that reads a parameter gets its fallback.
        </Empty>
      )}
      {parameters.map((parameter, index) => (
        <ParameterEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a parameter whose name is edited has no identity.
          key={index}
          parameter={parameter}
          edit={(changed) => set(parameters.map((one, at) => (at === index ? { ...one, ...changed } : one)))}
          onRemove={() => set(parameters.filter((_, at) => at !== index))}
          disabledReason={disabledReason}
          faultAt={(property) => faults.find((fault) => fault.property === `parameters[${index}].${property}`)?.message}
        />
      ))}
    </Section>
  );
}

function Details({ draft, onChange, disabledReason, faults }: EditProps<ParamStoreDraft>) {
  const { entity: store } = draft.stored;
  const { parameters: _, ...fields } = draft.fields;
  return (
    <DetailFields fields={fields} set={(changed) => onChange(setFields(draft, changed))} disabledReason={disabledReason} faults={faults}>
      <Facts
        id={store.id}
        of={store}
        facts={[
          { term: "Tags", is: store.tags.length === 0 ? "None" : store.tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
          { term: "Target apps", is: <bdi>{store.targetAppIDs.join(", ") || "All"}</bdi> },
        ]}
      />
    </DetailFields>
  );
}

type HistoryProps = { stored: StoredParamStore; disabledReason: string | undefined; environments: string };

function ParamStoreHistory({ stored: { entity: store, etag }, disabledReason, environments }: HistoryProps) {
  return (
    <HistoryTab
      read={useQuery(query("listParamStoreVersions", { path: { name: store.name }, query: { limit: MAX_VERSIONS } }))}
      name={store.displayName}
      noun="param store"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreParamStoreVersion", path: { name: store.name, version }, ifMatch: etag })}
      environments={() => environments}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getParamStore", "listParamStores", "listParamStoreVersions", "listChanges")}
    />
  );
}
