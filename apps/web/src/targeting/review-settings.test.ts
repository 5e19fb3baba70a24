import { expect, it } from "vitest";
import { reviewSettingsText } from "./review-settings.ts";

const [ada, kim] = [
  { id: "a", name: "Ada", email: "ada@example.com" },
  { id: "k", name: "", email: "kim@example.com" },
];

it.each([
  [null, "not required"],
  [{ requiredReview: true }, "required"],
  [{ requiredReview: true, allowedReviewers: [ada, kim] }, "required from Ada (ada@example.com) or kim@example.com"],
  [{ requiredReview: false, allowedReviewers: [ada] }, "not required (reviewers: Ada (ada@example.com))"],
])("%j is %s", (given, words) => {
  expect(reviewSettingsText(given)).toBe(words);
});
