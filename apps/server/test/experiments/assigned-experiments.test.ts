import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const assignments = {
  sql: "select * from assignments",
  timestampColumn: "shown_at",
  experimentIDColumn: "experiment",
  groupIDColumn: "variant",
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }],
};

const create = (name: string, rest: object = {}) => server.client.createAssignmentSource({ body: { name, ...assignments, ...rest } });

describe("an experiment with an assignment source", () => {
  const experiment = (name: string, given: object) => server.client.createExperiment({ body: { name, ...given } });

  test("requires an existing source, which cannot be deleted while it is used", async () => {
    const given = { assignmentSourceName: "referenced" };
    expect((await refusal(experiment("referring", given))).errors).toEqual([
      { property: "assignmentSourceName", errorMessage: "references assignment source referenced, which does not exist" },
    ]);
    await create("referenced");
    await experiment("referring", given);
    const path = { name: "referenced" };
    expect((await refusal(server.client.deleteAssignmentSource({ path }))).message).toBe(
      "Assignment source referenced cannot be deleted: it is referenced by experiment referring. Use forceArchive to do it anyway.",
    );
    await server.client.deleteAssignmentSource({ path, query: { forceArchive: true } });
    const { data } = await server.client.patchExperiment({ path: { id: "referring" }, body: { description: "Still there." } });
    expect(data).toMatchObject({ assignmentSourceName: "referenced", description: "Still there." });
  });

  test("filters its rows by what can be computed, each with a column", async () => {
    const filters = (...assignmentSourceFilters: object[]) => refusal(experiment("filtering", { assignmentSourceFilters }));
    expect(
      await filters(
        { condition: "sql_filter", values: ["true"] },
        { column: "at", condition: "after_exposure" },
        { column: "at", condition: "before_exposure" },
        { condition: "in", values: ["web"] },
        { column: "platform", condition: "in" },
        { column: "age", condition: ">", values: ["old"] },
      ),
    ).toEqual(
      invalid(
        ["assignmentSourceFilters[0].condition", "cannot be sql_filter: write the condition into the query of the assignment source"],
        ["assignmentSourceFilters[1].condition", "cannot be after_exposure: rows of an assignment source are the exposures"],
        ["assignmentSourceFilters[2].condition", "cannot be before_exposure: rows of an assignment source are the exposures"],
        ["assignmentSourceFilters[3].column", "is required"],
        ["assignmentSourceFilters[4].values", "must have a value with the condition in"],
        ["assignmentSourceFilters[5].values[0]", "must be a number with the condition >"],
      ),
    );
  });

  test("keeps its source while it runs", async () => {
    await create("running");
    const { data } = await experiment("runs", { status: "active" });
    const patch = (assignmentSourceName: string) =>
      server.client.patchExperiment({ path: { id: data.id }, body: { assignmentSourceName } });
    expect((await refusal(patch("running"))).errors).toEqual([
      { property: "assignmentSourceName", errorMessage: "cannot change while the experiment is active" },
    ]);
    expect((await patch("")).data.assignmentSourceName).toBe("");
  });

  test.each(["assignment_source", "assignment_sources"])("cannot have the id %s, whose path is of assignment sources", async (id) => {
    const errorMessage = `cannot make the id ${id}, because that path is of assignment sources`;
    expect((await refusal(experiment(id, {}))).errors).toEqual([{ property: "id", errorMessage }]);
    const { data } = await experiment(`before ${id}`, {});
    const restart = server.client.restartExperimentAsNew({ path: { id: data.id }, body: { name: id.replace("_", " ") } });
    expect((await refusal(restart)).errors).toEqual([{ property: "name", errorMessage }]);
  });
});
