// Edits of a dashboard that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";
import { describeWidget, type Widget } from "./widgets.ts";

export type Dashboard = Schema<"Dashboard">;
export type StoredDashboard = Stored<Dashboard>;
export type Fields = Pick<Dashboard, "name" | "description" | "tags"> & TeamFields & OwnerFields & { widgets: readonly Widget[] };
export type DashboardDraft = FieldsDraft<Dashboard, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  widgets: { label: "Widgets", as: "names" },
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toFields = ({ name, description, widgets, tags, team, teamID, owner = null }: Dashboard): Fields => ({
  ...{ name, description, widgets, tags, owner },
  ...toTeamFields({ team, teamID }),
});

const model = fieldsModel<Dashboard, Fields>(WORDS, toFields);

export const dashboardModel: typeof model = {
  ...model,
  toText: (field, value) =>
    model.toText(field, field === "widgets" ? (value as Fields["widgets"]).map(describeWidget) : value, {} as never),
};

export function toWriteRequests(draft: DashboardDraft): BatchRequest[] {
  const { widgets, ...fields } = changedParts(dashboardModel, draft);
  const body = { ...fields, ...(widgets !== undefined && { widgets: [...widgets] }) };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "patchDashboard", path: { id: draft.stored.entity.id }, body, ifMatch: draft.stored.etag }];
}

const shown = (fields: Fields) => ({ ...fields, widgets: fields.widgets.map(describeWidget) });

const described = (id: string, before: Fields, after: Fields) =>
  describeFields<Record<keyof Fields, unknown>>(WORDS, { type: "dashboard", noun: "Dashboard", id }, shown(before), shown(after));

/** The changes of a draft in words. */
export const describeDraft = ({ stored: { entity }, fields }: DashboardDraft) => described(entity.id, toFields(entity), fields);

/** The differences between two versions, in words. */
export const describeVersions = (before: Dashboard, after: Dashboard) => described(after.id, toFields(before), toFields(after));
