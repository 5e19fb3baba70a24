import { expect, test } from "vitest";
import { withMissingChanges } from "../../targeting/missing-changes.ts";
import { toText } from "../../targeting/parts.ts";
import {
  addEnvironment,
  describeDraft,
  faultsOfDraft,
  type SettingsDraft,
  type StoredSettings,
  setFields,
  settingsModel,
  toWriteRequests,
} from "./settings-draft.ts";

const environment = (id: string, isProduction = false) => ({
  id,
  name: id,
  isProduction,
  requiresReview: false,
  requiresReleasePipeline: false,
});
const stored = {
  entity: {
    ...{
      name: "Shop",
      visibility: "OPEN",
      default_unit_type: "userID",
      timeZone: "UTC",
      default_project_role: "Member",
      require_teams_on_configs: false,
    },
    ...{ version: 3, lastModifierName: null },
  },
  etag: '"3"',
  projectID: "shop",
  environments: [environment("production", true), environment("staging")],
  environmentsEtag: '"1"',
  teams: [{ id: "t1", name: "Release" }],
} as unknown as StoredSettings;
const draft = settingsModel.createDraft(stored, settingsModel.storedParts(stored));
const describeChanges = (given: SettingsDraft) => describeDraft(given).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)));

test("only what differs is written, and the first write of the settings names their version", () => {
  expect(toWriteRequests(draft)).toEqual([]);
  expect(toWriteRequests(setFields(draft, { require_teams_on_configs: true, default_project_role: "Viewer", name: "Store" }))).toEqual([
    {
      operationId: "updateProjectSettings",
      body: { name: "Store", visibility: "OPEN", default_unit_type: "userID", timeZone: "UTC" },
      ifMatch: '"3"',
    },
    { operationId: "updateRoleSettings", body: { default_project_role: "Viewer" } },
    { operationId: "updateTeamSettings", body: { require_teams_on_configs: true } },
  ]);
});

test("environments are added, renamed, moved and removed by their ids", () => {
  const [production, staging] = draft.environments;
  const changed = { ...draft, environments: addEnvironment([{ ...staging, name: "test" }, production] as never) };
  expect(toWriteRequests(changed)).toMatchObject([
    {
      operationId: "updateEnvironments",
      body: { environments: [{ id: "staging", name: "test" }, { id: "production" }, { name: "environment" }] },
      ifMatch: '"1"',
    },
  ]);
  expect(describeChanges(changed)).toEqual(["“staging”: renamed to “test”", "“environment” added", "Reordered"]);
  expect(describeChanges({ ...draft, environments: [{ ...production, isProduction: false } as never] })).toEqual([
    "“production”: no longer serves real users",
    "“staging” removed",
  ]);
});

test("names and the time zone are there, and names differ", () => {
  const environments = [environment("a"), environment("a"), environment(" ")];
  expect(faultsOfDraft({ ...setFields(draft, { name: "", timeZone: "" }), environments }).map(({ property }) => property)).toEqual([
    "name",
    "timeZone",
    "environments[1].name",
    "environments[2].name",
  ]);
});

test("reviews of the project are written together, and environments name the team that approves", () => {
  const [production, staging] = draft.environments;
  const changed = {
    ...setFields(draft, { is_config_review_required: true }),
    environments: [{ ...production, requiresReview: true, requiredReviewGroupID: "t1" }, staging] as never,
  };
  expect(toWriteRequests(changed)).toMatchObject([
    { operationId: "updateReviewSettings", body: { is_config_review_required: true }, ifMatch: '"3"' },
    {
      operationId: "updateEnvironments",
      body: { environments: [{ requiresReview: true, requiredReviewGroupID: "t1" }, { requiredReviewGroupID: null }] },
    },
  ]);
  expect(describeChanges(changed)).toEqual([
    "Reviews of changes to what users get: none → yes",
    "“production”: reviews required: none → yes",
    "“production”: approving team: none → Release",
  ]);
});

test("a review names each change once, whose fields the server reports under the project's ID", () => {
  const [production, staging] = draft.environments;
  const changed = { ...setFields(draft, { name: "Store" }), environments: [{ ...production, requiresReview: true }, staging] as never };
  const change = (entityType: string, field: string, before: unknown, after: unknown) => ({
    entityType,
    entityID: "shop",
    fields: [{ field, before, after }],
  });
  const reported = [change("settings", "name", "Shop", "Store"), change("environment_set", "environments[0].requiresReview", false, true)];
  const words = withMissingChanges(describeDraft(changed), reported).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)));
  expect(words).toEqual(["Name: Shop → Store", "“production”: reviews required: none → yes"]);
});
