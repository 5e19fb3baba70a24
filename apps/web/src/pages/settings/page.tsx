import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call, currentProjectID, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EnvironmentsTab } from "./environments-tab.tsx";
import { GeneralTab } from "./general-tab.tsx";
import { describeDraft, faultsOfDraft, type StoredSettings, settingsModel, writeOf } from "./settings-draft.ts";
import { SmallKind } from "./small-kind.tsx";
import { TABS } from "./tabs.ts";

const ALL = { query: { limit: 1_000, sort: "name" } } as const;
const forced = (isForced: boolean) => (isForced ? { query: { forceArchive: true } } : {});
const SETTINGS = "edit_project_settings";

export default function SettingsPage() {
  return <SettingsOf key={currentProjectID()} />;
}

function SettingsOf() {
  const { data: answer } = useSuspenseQuery(query("getSettings"));
  const { data: environments } = useSuspenseQuery(query("getEnvironments"));
  const stored = useMemo(
    (): StoredSettings => ({
      entity: { ...answer.data, lastModifierName: null },
      etag: answer.etag ?? "",
      environments: environments.data.environments,
      environmentsEtag: environments.etag ?? "",
    }),
    [answer, environments],
  );
  return (
    <EntityPage
      noun="settings"
      title="Settings"
      permission={SETTINGS}
      stored={stored}
      model={settingsModel}
      faultsOf={faultsOfDraft}
      write={writeOf}
      inWords={describeDraft}
      reads={{ own: ["getSettings", "getEnvironments"], others: ["getSession", "listProjects"] }}
      tabs={TABS}
      content={(tab, shared) => {
        switch (tab) {
          case "general":
            return <GeneralTab {...shared} />;
          case "environments":
            return <EnvironmentsTab {...shared} />;
          case "tags":
            return (
              <SmallKind
                noun="tag"
                title="Tags"
                about="A tag marks what belongs together. Lists are filtered by it."
                referencedType="tag"
                permissions={{ create: "create_configs", edit: "edit_or_delete_configs" }}
                list={query("listTags", ALL) as never}
                read={(id) => query("getTag", { path: { id } }) as never}
                create={(body) => call("createTag", { body })}
                patch={(id, body, ifMatch) => ({ operationId: "patchTag", path: { id }, body, ifMatch })}
                remove={(id, isForced, ifMatch) => ({ operationId: "deleteTag", path: { id }, ifMatch, ...forced(isForced) })}
                isRenamed
                reads={["listTags", "getTag"]}
              />
            );
          case "target-apps":
            return (
              <SmallKind
                noun="target app"
                title="Target apps"
                about="A target app is an application that reads the project. Its keys see only what is meant for it."
                referencedType="target_app"
                permissions={{ create: SETTINGS, edit: SETTINGS }}
                list={query("listTargetApps", ALL) as never}
                read={(id) => query("getTargetApp", { path: { id } }) as never}
                create={(body) => call("createTargetApp", { body })}
                patch={(id, body, ifMatch) => ({ operationId: "patchTargetApp", path: { id }, body, ifMatch })}
                remove={(id, isForced, ifMatch) => ({ operationId: "deleteTargetApp", path: { id }, ifMatch, ...forced(isForced) })}
                isRenamed
                reads={["listTargetApps", "getTargetApp"]}
              />
            );
          case "unit-id-types":
            return (
              <SmallKind
                noun="unit ID type"
                title="Unit ID types"
                about="What shares are divided by: people, devices, companies. Applications send the ids under these names."
                referencedType="unit_id_type"
                permissions={{ create: SETTINGS, edit: SETTINGS }}
                list={query("listUnitIDTypes", ALL) as never}
                read={(id) => query("getUnitIDType", { path: { id } }) as never}
                create={(body) => call("createUnitIDType", { body })}
                patch={(id, body, ifMatch) => ({ operationId: "patchUnitIDType", path: { id }, body, ifMatch })}
                remove={(id, isForced, ifMatch) => ({ operationId: "deleteUnitIDType", path: { id }, ifMatch, ...forced(isForced) })}
                isRenamed={false}
                reads={["listUnitIDTypes", "getUnitIDType"]}
              />
            );
        }
      }}
    />
  );
}
