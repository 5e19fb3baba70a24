import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";

const text = readFileSync(fileURLToPath(new URL("../../../../.github/workflows/release.yml", import.meta.url)), "utf8");
const { jobs }: { jobs: Record<string, { steps: { name?: string; run?: string }[] }> } = parse(text);

test("the workflow of a release names every action by its commit, with its version", () => {
  const uses = [...text.matchAll(/uses: (.*)/g)].map(([, one]) => one);
  expect(uses.length).toBeGreaterThan(10);
  for (const one of uses) expect(one).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

describe("the chart of a release", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-chart-"));
    for (const name of ["bin", "charts"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "charts/gatehouse-0.2.0.tgz"), "");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const DIGEST = `sha256:${"ab".repeat(32)}`;
  const PUSHED = `echo "Pushed: registry-1.docker.io/gatehouse/gatehouse:0.2.0" >&2; echo "Digest: ${DIGEST}" >&2`;

  /** Runs the workflow's step with programs that record how they are called. @param push what `helm push` does */
  function runStep(push: string) {
    const { run = "" } = jobs.chart?.steps.find(({ name }) => name?.startsWith("Push the chart")) ?? {};
    const program = (name: string, more = "") =>
      writeFileSync(join(folder, "bin", name), `#!/bin/bash\necho "${name} $*" >> calls\n${more}\n`, { mode: 0o755 });
    program("cosign");
    program("helm", `if [ "$1" = registry ]; then cat >> secrets; else ${push}; fi`);
    writeFileSync(join(folder, "calls"), "");
    const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, DOCKERHUB_USERNAME: "gatehouse", DOCKERHUB_TOKEN: "secret" };
    const { status } = spawnSync("bash", ["-e", "-c", run], { cwd: folder, env });
    return { status, calls: readFileSync(join(folder, "calls"), "utf8").trimEnd().split("\n") };
  }

  test("is pushed beside the image, and signed by its digest", () => {
    expect(runStep(PUSHED)).toEqual({
      status: 0,
      calls: [
        "helm registry login registry-1.docker.io --username gatehouse --password-stdin",
        "helm push charts/gatehouse-0.2.0.tgz oci://registry-1.docker.io/gatehouse",
        `cosign sign --yes gatehouse/gatehouse@${DIGEST}`,
      ],
    });
    expect(readFileSync(join(folder, "secrets"), "utf8")).toBe("secret\n");
  });

  test.each([
    ["the registry refuses it", "exit 1"],
    ["its digest is unknown", "echo Pushed"],
  ])("fails the release without a signature if %s", (_, push) => {
    const { status, calls } = runStep(push);
    expect([status, calls.some((one) => one.startsWith("cosign"))]).toEqual([1, false]);
  });
});
