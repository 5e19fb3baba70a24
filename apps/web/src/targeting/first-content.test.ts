import { expect, test } from "vitest";
import { firstContent } from "./changes.ts";
import { toText } from "./parts.ts";

test("the first version of an entity says what it began with, and shows a value as it was written", () => {
  const config = {
    ...{ id: "banner", name: "Banner", version: 1, lastModifiedTime: 1, description: "Spring", tags: [], owner: null },
    ...{ rules: [], reviewSettings: { requiredReview: false, allowedReviewers: [] } },
    ...{ defaultValue: { days: 4 }, defaultValueJson5: "{ days: 4 /* working days */ }" },
  };
  const { changes } = firstContent("dynamic_config", config);
  expect(changes.map(({ parts }) => toText(parts))).toEqual(["Description: Spring", "Default value"]);
  expect(changes[1]?.diff).toEqual({ before: "", after: config.defaultValueJson5 });
});
