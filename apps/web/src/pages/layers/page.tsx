import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HoldoutNames } from "../../entity/holdout-names.tsx";
import { ReadBy } from "../../entity/read-by.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { soon } from "../../ui/soon.tsx";
import { BucketsTab } from "./buckets-tab.tsx";
import { describeDraft, faultsOfDraft, layerModel, type StoredLayer, toWriteRequests } from "./layer-draft.ts";

const LayerHistory = soon(() => import("./history-tab.tsx"));
const LayerOverrides = soon(async () => ({ default: (await import("./overrides-tab.tsx")).LayerOverrides }));
const ParametersTab = soon(async () => ({ default: (await import("./parameters-tab.tsx")).ParametersTab }));
const UsedByTab = soon(async () => ({ default: (await import("../../entity/used-by-tab.tsx")).UsedByTab }));

const FROM = "/projects/$projectID/layers/$id";

export default function LayerPage() {
  const { id } = useParams({ from: FROM });
  return <LayerView key={`${currentProjectID()} ${id}`} id={id} />;
}

function LayerView({ id }: { id: string }) {
  const { data: answer } = useSuspenseQuery(query("getLayer", { path: { id } }));
  const stored = useMemo((): StoredLayer => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: layer } = stored;
  const { projectID } = useParams({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("edit_or_delete_configs");
  const all = useEnvironmentNames();
  const everywhere = environmentsInWords(all, all);
  return (
    <EntityPage
      noun="layer"
      list={
        <Link to="/projects/$projectID/layers" params={{ projectID }}>
          Layers
        </Link>
      }
      stored={stored}
      model={layerModel}
      beside={<code>{layer.id}</code>}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      inWords={describeDraft}
      environments={() => everywhere}
      also={<ReadBy type="layer" id={id} noun="layer" />}
      reads={{ own: ["getLayer"], others: ["listLayers", "listLayerVersions"] }}
      actions={({ count }) => (
        <>
          <UseInCode kind="layer" id={id} />
          <EntitySteps
            name={layer.name}
            hasDraft={count > 0}
            steps={[
              {
                id: "delete",
                label: "Delete",
                request: { operationId: "deleteLayer", path: { id }, ifMatch: stored.etag },
                about: <p>You can’t delete a layer that has experiments.</p>,
                canForce: true,
                done: "is deleted",
                isRestorable: true,
                disabledReason: refusal,
                isDangerous: true,
                environments: everywhere,
              },
            ]}
            onConflict={() => void invalidate("getLayer")}
            onDone={async () => {
              await navigate({ to: "/projects/$projectID/layers" });
              await invalidate("listLayers", "listChanges");
            }}
          />
        </>
      )}
      tabs={kinds.layer.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "buckets":
            return <BucketsTab id={id} />;
          case "parameters":
            return <ParametersTab {...shared} />;
          case "overrides":
            return <LayerOverrides layer={layer} disabledReason={shared.disabledReason} />;
          case "history":
            return <LayerHistory stored={stored} disabledReason={restoreReason} environments={everywhere} />;
          case "used-by":
            return (
              <UsedByTab type="layer" id={id} noun="layer">
                Experiments, holdouts, and param stores that use it are listed here.
              </UsedByTab>
            );
          case "details":
            return (
              <DetailFields {...shared} fields={shared.draft.fields} set={(fields) => shared.onChange(setFields(shared.draft, fields))}>
                <Facts
                  id={layer.id}
                  of={layer}
                  facts={[
                    { term: "Unit ID type", is: <bdi>{layer.idType}</bdi> },
                    { term: "Target apps", is: <bdi>{layer.targetApps.join(", ") || "All"}</bdi> },
                    { term: "Held out by", is: <HoldoutNames ids={layer.holdoutIDs} none="No holdout" /> },
                  ]}
                />
              </DetailFields>
            );
        }
      }}
    />
  );
}
