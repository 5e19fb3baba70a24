import { useQuery } from "@tanstack/react-query";
import { call, query } from "../../api.ts";
import { MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { SmallKind } from "./small-kind.tsx";

const ALL = { query: { limit: 1_000, sort: "name" } } as const;
const VERSIONS = { limit: MAX_VERSIONS };
const SETTINGS = "edit_project_settings";
const forced = (isForced: boolean) => (isForced ? { query: { forceArchive: true } } : {});

export function Tags() {
  return (
    <SmallKind
      noun="tag"
      title="Tags"
      about="Group related entities and filter lists by tag."
      referencedType="tag"
      permissions={{ create: "create_configs", edit: "edit_or_delete_configs" }}
      all={useQuery(query("listTags", ALL))}
      read={(id) => call("getTag", { path: { id } })}
      create={(body) => call("createTag", { body })}
      patch={(id, body, ifMatch) => ({ operationId: "patchTag", path: { id }, body, ifMatch })}
      remove={(id, isForced, ifMatch) => ({ operationId: "deleteTag", path: { id }, ifMatch, ...forced(isForced) })}
      isRenamed
      versions={(id) => call("listTagVersions", { path: { id }, query: VERSIONS })}
      restore={(id, version, ifMatch) => ({ operationId: "restoreTagVersion", path: { id, version }, ifMatch })}
      reads={["listTags"]}
    />
  );
}

export function TargetApps() {
  return (
    <SmallKind
      noun="target app"
      title="Target apps"
      about="Limit keys to the gates, configs, and experiments of one application."
      referencedType="target_app"
      permissions={{ create: SETTINGS, edit: SETTINGS }}
      all={useQuery(query("listTargetApps", ALL))}
      read={(id) => call("getTargetApp", { path: { id } })}
      create={(body) => call("createTargetApp", { body })}
      patch={(id, body, ifMatch) => ({ operationId: "patchTargetApp", path: { id }, body, ifMatch })}
      remove={(id, isForced, ifMatch) => ({ operationId: "deleteTargetApp", path: { id }, ifMatch, ...forced(isForced) })}
      isRenamed
      versions={(id) => call("listTargetAppVersions", { path: { id }, query: VERSIONS })}
      restore={(id, version, ifMatch) => ({ operationId: "restoreTargetAppVersion", path: { id, version }, ifMatch })}
      reads={["listTargetApps"]}
    />
  );
}

export function UnitIDTypes() {
  return (
    <SmallKind
      noun="unit ID type"
      title="Unit ID types"
      about="Roll out by user, device, or company. Your application sends IDs under these names."
      referencedType="unit_id_type"
      permissions={{ create: SETTINGS, edit: SETTINGS }}
      all={useQuery(query("listUnitIDTypes", ALL))}
      read={(id) => call("getUnitIDType", { path: { id } })}
      create={(body) => call("createUnitIDType", { body })}
      patch={(id, body, ifMatch) => ({ operationId: "patchUnitIDType", path: { id }, body, ifMatch })}
      remove={(id, isForced, ifMatch) => ({ operationId: "deleteUnitIDType", path: { id }, ifMatch, ...forced(isForced) })}
      isRenamed={false}
      versions={(id) => call("listUnitIDTypeVersions", { path: { id }, query: VERSIONS })}
      restore={(id, version, ifMatch) => ({ operationId: "restoreUnitIDTypeVersion", path: { id, version }, ifMatch })}
      reads={["listUnitIDTypes"]}
    />
  );
}
