import { expect, it } from "vitest";
import { subject, text, value } from "../targeting/parts.ts";
import { changeMarks } from "./change-marks.ts";

const saved = (lastModifiedTime: number, allocation: number, tags = "") => ({
  lastModifiedTime,
  lastModifierName: "Ada",
  allocation,
  tags,
});
const describeAll = (before: ReturnType<typeof saved>, after: ReturnType<typeof saved>) =>
  (["allocation", "tags"] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      kind: "changed" as const,
      field,
      parts: [subject(field), text(":"), value(before[field]), text("→"), value(after[field])],
    }));

it("marks saves that changed a shown field, and names who saved them", () => {
  const versions = [saved(30, 50, "checkout"), saved(20, 50), saved(10, 10)];
  expect(changeMarks(versions, describeAll, (field) => field === "allocation")).toEqual([
    { time: 20, name: "allocation", text: "allocation: 10 → 50 (Ada)" },
  ]);
});
