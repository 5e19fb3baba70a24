import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { currentProjectID, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { soon } from "../../ui/soon.tsx";
import { EnvironmentsTab } from "./environments-tab.tsx";
import { GeneralTab } from "./general-tab.tsx";
import { TEAMS } from "./requests.ts";
import { ReviewsTab } from "./reviews-tab.tsx";
import { describeDraft, faultsOfDraft, type StoredSettings, settingsModel, toWriteRequests } from "./settings-draft.ts";
import { Tags, TargetApps, UnitIDTypes } from "./small-kinds.tsx";
import { TABS } from "./tabs.ts";
import { WarehouseTab } from "./warehouse-tab.tsx";

const Attributes = soon(() => import("./attributes-tab.tsx"));
const ModelEndpoint = soon(() => import("./model-tab.tsx"));

export default function SettingsPage() {
  return <SettingsView key={currentProjectID()} />;
}

function SettingsView() {
  const { data: answer } = useSuspenseQuery(query("getSettings"));
  const { data: environments } = useSuspenseQuery(query("getEnvironments"));
  const { data: teams } = useSuspenseQuery(query("listTeams", TEAMS));
  const stored = useMemo(
    (): StoredSettings => ({
      entity: { ...answer.data, lastModifierName: null },
      etag: answer.etag ?? "",
      projectID: currentProjectID() ?? "",
      environments: environments.data.environments,
      environmentsEtag: environments.etag ?? "",
      teams: teams.data,
    }),
    [answer, environments, teams],
  );
  return (
    <EntityPage
      noun="settings"
      title="Settings"
      permission="edit_project_settings"
      stored={stored}
      model={settingsModel}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getSettings", "getEnvironments"], others: ["getSession", "listProjects"] }}
      tabs={TABS}
      content={(tab, shared) => {
        switch (tab) {
          case "general":
            return <GeneralTab {...shared} />;
          case "environments":
            return <EnvironmentsTab {...shared} />;
          case "reviews":
            return <ReviewsTab {...shared} />;
          case "tags":
            return <Tags />;
          case "target-apps":
            return <TargetApps />;
          case "unit-id-types":
            return <UnitIDTypes />;
          case "attributes":
            return <Attributes />;
          case "warehouse":
            return <WarehouseTab />;
          case "model":
            return <ModelEndpoint />;
        }
      }}
    />
  );
}
