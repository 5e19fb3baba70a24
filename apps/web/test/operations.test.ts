import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { routes } from "@gatehouse/contract/console";
import { expect, test } from "vitest";
import type { WebKind } from "../src/kinds/kind.ts";
import { kinds } from "../src/kinds/kinds.ts";

/** The operations that no page calls, by reason. */
const UNCALLED = {
  "A part of the settings or of the session, which pages read whole": `
    getCompany getProject patchProject getProjectSettings getReviewSettings getTeamSettings
  `,
  "Nothing acts on it yet": `
    updateReviewSettings
  `,
  "The audit log shows them: these versions name neither a person nor a time": `
    listSettingsVersions restoreSettingsVersion listEnvironmentSetVersions restoreEnvironmentSetVersion
  `,
  "For programs: pages show checks, exposures and results, and load one experiment, gate or holdout": `
    getExposureCount reloadMetric
  `,
  "No page yet: one target app for many entities at once": `
    assignTargetApps
  `,
  "The same as another operation, one field or rule at a time": `
    updateGate getGateChecks listGateDynamicConfigReferences listGateExperimentReferences listGateGateReferences addGateOverrides
    removeGateOverrides addGateRule listGateRules addGateRules patchGateRules patchGateRule deleteGateRule
    updateDynamicConfig disableDynamicConfig enableDynamicConfig getDynamicConfigRule patchDynamicConfigRule deleteDynamicConfigRule
    listDynamicConfigRules updateExperiment updateAssignmentSource updateEntityPropertySource updateAutotune updateLayer updateLayerOverrides updateHoldout updateSegmentRules
    addHoldoutOverrides removeHoldoutOverrides updateExperimentOverrides
    getUserByID updateProjectMember getMetricByName getIngestion patchIngestion deleteIngestion
  `,
  "The preview on the metric's page shows the same": `
    getMetricValue listMetricValues getMetricSql
  `,
  "The list of events says the same": `
    getAlertEvent
  `,
  "The differences from the warehouse say the same": `
    listIngestionEventCounts
  `,
  "What uses something says the same": `
    listMetricExperiments listMetricSourceMetrics
  `,
  "No page yet: release pipelines": `
    listReleasePipelines createReleasePipeline getReleasePipeline deleteReleasePipeline listReleasePipelineVersions
    restoreReleasePipelineVersion
  `,
  "The page reads the segment, whose version says the same": `
    getSegmentIDListMetadata
  `,
  "Opened as a page by the browser, not called": `
    startSingleSignOn finishSingleSignOn
  `,
};

const src = fileURLToPath(new URL("../src/", import.meta.url));
const text = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(src + file, "utf8"))
  .join("\n");

/** Pages name the operations that they call, or hand them to what they share. Streams and files have functions of their own. */
const CALL = /\b(?:query|call|instanceQuery)\(\s*"(\w+)"/g;
const HANDED = /\boperationId: "(\w+)"|\b(?:list|read|start|cancel): "(\w+Pulse\w+)",|\bof="(\w+)"/g;
const OF_ROUTE = /\broutes\.(\w+)\.path\b/g;
const named = [CALL, HANDED, OF_ROUTE].flatMap((pattern) => [...text.matchAll(pattern)].map(([, ...names]) => names.find(Boolean) ?? ""));
/** The palette searches the lists of kinds, and the audit log restores what was deleted. */
const registered = Object.values<WebKind>(kinds).flatMap(({ list, isInPalette, restore }) => [
  ...(isInPalette ? [list] : []),
  ...(restore === null ? [] : [restore.operationId]),
]);
const called = new Set<string>([...named, ...registered, ...(/\bchanges\(client\b/.test(text) ? ["streamChanges"] : [])]);
const uncalled = Object.values(UNCALLED).flatMap((names) => names.trim().split(/\s+/));

test("pages name only operations of the contract", () => {
  expect(called.size).toBeGreaterThan(20);
  expect([...called].filter((name) => !(name in routes))).toEqual([]);
});

test("each operation of the contract is called by a page, or listed with the reason why not", () => {
  const missing = Object.keys(routes).filter((name) => !called.has(name) && !uncalled.includes(name));
  expect(missing, "neither called nor listed").toEqual([]);
});

test("no operation is listed that a page calls, that does not exist, or twice", () => {
  expect(uncalled.filter((name) => called.has(name) || !(name in routes))).toEqual([]);
  expect(new Set(uncalled).size).toBe(uncalled.length);
});
